import { apiOf } from './providers.ts';
import type { BatchApi, LiveApi, ProviderMode, ProviderName } from './providers.ts';

type Kind = 'boolean' | 'number' | 'string' | 'strings' | 'object' | 'any';

/**
 * Parameters of the audio itself, of the recipient of the result and of the audio's location are set by this service.
 */
const reserved = new Set([
  'encoding',
  'sample_rate',
  'bit_depth',
  'channel',
  'channels',
  'num_channels',
  'audio_format',
  'audio_url',
  'audio_base_64',
  'file',
  'file_id',
  'url',
  'custom_metadata',
  'client_reference_id',
  'tracking',
  'notification_config',
  'fetch_data',
  'api_key',
  'token',
  'jwt',
  'response_format',
  'timestamp_granularities',
  'stream',
  'tag',
  'multichannel',
  'dictation_format',
]);
const reservedStarts = ['callback', 'webhook'];

const allowed: Readonly<Record<BatchApi | LiveApi, Readonly<Record<ProviderMode, Readonly<Record<string, Kind>>>>>> = {
  gladia: {
    batch: {
      model: 'string',
      language_config: 'object',
      diarization: 'boolean',
      diarization_config: 'object',
      custom_vocabulary: 'any',
      custom_vocabulary_config: 'object',
      custom_spelling: 'boolean',
      custom_spelling_config: 'object',
      translation: 'boolean',
      translation_config: 'object',
      summarization: 'boolean',
      summarization_config: 'object',
      named_entity_recognition: 'boolean',
      sentiment_analysis: 'boolean',
      moderation: 'boolean',
      chapterization: 'boolean',
      audio_to_llm: 'boolean',
      audio_to_llm_config: 'object',
      punctuation_enhanced: 'boolean',
      sentences: 'boolean',
    },
    live: {
      model: 'string',
      endpointing: 'number',
      maximum_duration_without_endpointing: 'number',
      language_config: 'object',
      pre_processing: 'object',
      realtime_processing: 'object',
    },
  },
  deepgram: {
    batch: {
      model: 'string',
      language: 'string',
      detect_language: 'boolean',
      diarize: 'boolean',
      punctuate: 'boolean',
      smart_format: 'boolean',
      paragraphs: 'boolean',
      numerals: 'boolean',
      profanity_filter: 'boolean',
      filler_words: 'boolean',
      redact: 'strings',
      keyterm: 'strings',
      keywords: 'strings',
      replace: 'strings',
      search: 'strings',
      summarize: 'any',
      topics: 'boolean',
      intents: 'boolean',
      sentiment: 'boolean',
      detect_entities: 'boolean',
      utt_split: 'number',
    },
    live: {
      model: 'string',
      language: 'string',
      diarize: 'boolean',
      punctuate: 'boolean',
      smart_format: 'boolean',
      numerals: 'boolean',
      profanity_filter: 'boolean',
      filler_words: 'boolean',
      endpointing: 'any',
      utterance_end_ms: 'number',
      keyterm: 'strings',
      keywords: 'strings',
      redact: 'strings',
      replace: 'strings',
    },
  },
  assemblyai: {
    batch: {
      speech_models: 'strings',
      speech_model: 'string',
      language_code: 'string',
      language_detection: 'boolean',
      language_confidence_threshold: 'number',
      speaker_labels: 'boolean',
      speakers_expected: 'number',
      speaker_options: 'object',
      keyterms_prompt: 'strings',
      punctuate: 'boolean',
      format_text: 'boolean',
      disfluencies: 'boolean',
      filter_profanity: 'boolean',
      custom_spelling: 'any',
      redact_pii: 'boolean',
      redact_pii_policies: 'strings',
      redact_pii_sub: 'string',
      sentiment_analysis: 'boolean',
      entity_detection: 'boolean',
      auto_chapters: 'boolean',
      auto_highlights: 'boolean',
      content_safety: 'boolean',
      iab_categories: 'boolean',
      summarization: 'boolean',
      summary_model: 'string',
      summary_type: 'string',
      speech_threshold: 'number',
      prompt: 'string',
    },
    live: {
      speech_model: 'string',
      language: 'string',
      format_turns: 'boolean',
      speaker_labels: 'boolean',
      max_speakers: 'number',
      keyterms_prompt: 'strings',
      end_of_turn_confidence_threshold: 'number',
      min_turn_silence: 'number',
      max_turn_silence: 'number',
      filter_profanity: 'boolean',
      language_detection: 'boolean',
    },
  },
  speechmatics: {
    batch: {
      language: 'string',
      output_locale: 'string',
      operating_point: 'string',
      domain: 'string',
      additional_vocab: 'any',
      diarization: 'string',
      speaker_diarization_config: 'object',
      punctuation_overrides: 'object',
      enable_entities: 'boolean',
      audio_filtering_config: 'object',
      transcript_filtering_config: 'object',
    },
    live: {
      language: 'string',
      output_locale: 'string',
      operating_point: 'string',
      domain: 'string',
      additional_vocab: 'any',
      diarization: 'string',
      speaker_diarization_config: 'object',
      max_delay: 'number',
      max_delay_mode: 'string',
      punctuation_overrides: 'object',
      enable_entities: 'boolean',
      audio_filtering_config: 'object',
      transcript_filtering_config: 'object',
      conversation_config: 'object',
      translation_config: 'object',
    },
  },
  soniox: {
    batch: {
      model: 'string',
      language_hints: 'strings',
      language_hints_strict: 'boolean',
      enable_speaker_diarization: 'boolean',
      enable_language_identification: 'boolean',
      context: 'any',
      translation: 'object',
    },
    live: {
      model: 'string',
      language_hints: 'strings',
      language_hints_strict: 'boolean',
      enable_speaker_diarization: 'boolean',
      enable_language_identification: 'boolean',
      enable_endpoint_detection: 'boolean',
      max_endpoint_delay_ms: 'number',
      context: 'any',
      translation: 'object',
    },
  },
  elevenlabs: {
    batch: {},
    live: {
      model_id: 'string',
      language_code: 'string',
      vad_silence_threshold_secs: 'number',
      vad_threshold: 'number',
      min_speech_duration_ms: 'number',
      min_silence_duration_ms: 'number',
    },
  },
  'openai-compatible': {
    batch: { model: 'string', language: 'string', prompt: 'string', temperature: 'number' },
    live: {},
  },
  meeting_captions: { batch: { language: 'string' }, live: { language: 'string' } },
  local: { batch: { language: 'string', prompt: 'string' }, live: { language: 'string' } },
};

export interface ParameterProblem {
  readonly parameter: string;
  readonly sentence: string;
}

const largestBytes = 16_384;

/** The problem of a customer's `custom_params` for this provider, or null. */
export function findParameterProblem(
  provider: ProviderName,
  mode: ProviderMode,
  given: Readonly<Record<string, unknown>> | null,
): ParameterProblem | null {
  if (given === null) return null;
  const known = allowed[apiOf(provider)][mode];
  for (const [parameter, value] of Object.entries(given)) {
    if (reserved.has(parameter) || reservedStarts.some((start) => parameter.startsWith(start))) {
      return { parameter, sentence: 'It is set by this service and cannot be changed.' };
    }
    const kind = Object.hasOwn(known, parameter) ? known[parameter] : undefined;
    if (kind === undefined) return { parameter, sentence: unknownSentence(provider, Object.keys(known)) };
    if (!isOfKind(value, kind)) return { parameter, sentence: `It must be ${kindWords[kind]}.` };
  }
  if (Buffer.byteLength(JSON.stringify(given)) > largestBytes) {
    return { parameter: '', sentence: 'It may have at most 16 KiB as JSON.' };
  }
  return null;
}

function unknownSentence(provider: string, known: readonly string[]): string {
  if (known.length === 0) return `The provider ${provider} takes no custom_params here.`;
  return `The provider ${provider} takes no such parameter here. Known: ${[...known].sort().join(', ')}.`;
}

const kindWords: Readonly<Record<Kind, string>> = {
  boolean: 'true or false',
  number: 'a number',
  string: 'a text',
  strings: 'a text or a list of texts',
  object: 'an object',
  any: 'a value',
};

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === 'any') return value !== undefined;
  if (kind === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value);
  if (kind !== 'strings') return typeof value === kind;
  return [value].flat().every((one) => typeof one === 'string');
}
