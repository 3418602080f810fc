import { apiOf, modeOf } from './providers.ts';
import type { BatchApi, LiveApi, ProviderMode, ProviderName } from './providers.ts';

type Kind = 'boolean' | 'number' | 'string' | 'strings' | 'object' | 'any';

/**
 * Parameters of the audio itself, of the recipient and the form of the result and of the audio's location are set by
 * this service.
 */
const reserved: readonly string[] =
  'encoding sample_rate bit_depth channel channels num_channels audio_format audio_url audio_base_64 file file_id url custom_metadata client_reference_id tracking notification_config fetch_data api_key token jwt response_format timestamp_granularities stream tag multichannel dictation_format interim_results messages_config enable_partials commit_strategy include_timestamps'.split(
    ' ',
  );
const reservedStarts = ['callback', 'webhook'];
/** Parameters that the vendor has replaced, by provider and mode, and their successors. */
const retired: Readonly<Record<string, string>> = {
  'assemblyai batch speech_model': 'speech_models',
  'assemblyai batch word_boost': 'keyterms_prompt',
  'speechmatics batch operating_point': 'model',
  'speechmatics live operating_point': 'model',
};

/** Names of each kind, separated by blanks, for recordings and live audio. */
const known: Readonly<Record<BatchApi | LiveApi, Readonly<Partial<Record<Kind, string>>>>> = {
  gladia: {
    string: 'model',
    object:
      'language_config diarization_config custom_vocabulary_config custom_spelling_config translation_config summarization_config audio_to_llm_config pre_processing realtime_processing',
    boolean:
      'diarization custom_spelling translation summarization named_entity_recognition sentiment_analysis moderation chapterization audio_to_llm punctuation_enhanced sentences',
    any: 'custom_vocabulary',
    number: 'endpointing maximum_duration_without_endpointing',
  },
  deepgram: {
    string: 'model language',
    boolean:
      'detect_language diarize punctuate smart_format paragraphs numerals profanity_filter filler_words topics intents sentiment detect_entities',
    strings: 'redact keyterm keywords replace search language_hint',
    any: 'summarize endpointing',
    number: 'utt_split utterance_end_ms',
  },
  assemblyai: {
    strings: 'speech_models keyterms_prompt redact_pii_policies',
    string: 'language_code redact_pii_sub summary_model summary_type prompt speech_model language',
    boolean:
      'language_detection speaker_labels punctuate format_text disfluencies filter_profanity redact_pii sentiment_analysis entity_detection auto_chapters auto_highlights content_safety iab_categories summarization format_turns',
    number:
      'language_confidence_threshold speakers_expected speech_threshold max_speakers end_of_turn_confidence_threshold min_turn_silence max_turn_silence',
    object: 'speaker_options',
    any: 'custom_spelling',
  },
  speechmatics: {
    string: 'language output_locale domain diarization model max_delay_mode',
    any: 'additional_vocab',
    object:
      'speaker_diarization_config punctuation_overrides audio_filtering_config transcript_filtering_config conversation_config translation_config',
    boolean: 'enable_entities',
    strings: 'language_hints',
    number: 'max_delay',
  },
  soniox: {
    string: 'model',
    strings: 'language_hints',
    boolean:
      'language_hints_strict enable_speaker_diarization enable_language_identification enable_endpoint_detection',
    any: 'context',
    object: 'translation',
    number: 'max_endpoint_delay_ms',
  },
  elevenlabs: {
    string: 'model_id language_code',
    number: 'vad_silence_threshold_secs vad_threshold min_speech_duration_ms min_silence_duration_ms',
  },
  'openai-compatible': { string: 'model language prompt', number: 'temperature', any: 'chunking_strategy' },
  meeting_captions: { string: 'language' },
  local: { string: 'language prompt' },
};

export interface ParameterProblem {
  readonly parameter: string;
  readonly sentence: string;
}

const largestBytes = 16_384;
const wellNamed = /^[a-z]\w{0,63}(?:\.\w{1,64})?(?:\[\])?$/i;

/**
 * The problem of a customer's `custom_params` for this provider, or null. A parameter that is not known here is none.
 *
 * @param model the deployment's model
 */
export function findParameterProblem(
  provider: ProviderName,
  mode: ProviderMode,
  custom: Readonly<Record<string, unknown>> | null,
  model?: string,
): ParameterProblem | null {
  const given = custom ?? {};
  if (Buffer.byteLength(JSON.stringify(given)) > largestBytes) {
    return { parameter: '', sentence: 'It may have at most 16 KiB as JSON.' };
  }
  for (const [parameter, value] of Object.entries(given)) {
    const sentence = problemOf(provider, mode, parameter, value);
    if (sentence !== null) return { parameter, sentence };
  }
  const language = withDefaults(provider, mode, given, model)['language'];
  if (modeOf(provider, mode)?.severalLanguages === undefined || (language !== undefined && language !== 'auto'))
    return null;
  const sentence = `The provider ${provider} detects no language in live audio with this model. Name it, for example "en".`;
  return { parameter: 'language', sentence };
}

function problemOf(provider: ProviderName, mode: ProviderMode, parameter: string, value: unknown): string | null {
  const name = parameter.toLowerCase().replace(/\[\]$/, '');
  if (reserved.includes(name) || reservedStarts.some((start) => name.startsWith(start)))
    return 'It is set by this service and cannot be changed.';
  const successor = retired[`${apiOf(provider)} ${mode} ${parameter}`];
  if (successor !== undefined) return `The provider ${provider} has replaced it. Use ${successor}.`;
  const kind = kindOf(provider, parameter);
  if (kind !== null) return isOfKind(value, kind) ? null : `It must be ${kindWords[kind]}.`;
  if (!wellNamed.test(parameter)) return 'It is no name of a parameter.';
  if (provider !== 'meeting_captions' && provider !== 'local') return null;
  const names = Object.values(known[provider]).join(' ').split(' ');
  return `The provider ${provider} takes no such parameter. Known: ${names.sort().join(', ')}.`;
}

function kindOf(provider: ProviderName, parameter: string): Kind | null {
  const kinds = Object.entries(known[apiOf(provider)]) as [Kind, string][];
  return kinds.find(([, names]) => names.split(' ').includes(parameter))?.[0] ?? null;
}

/** Parameters that are passed on although they are not known here. */
export function unknownParameters(provider: ProviderName, given: Readonly<Record<string, unknown>> | null): string[] {
  return Object.keys(given ?? {}).filter((parameter) => kindOf(provider, parameter) === null);
}

/**
 * `custom_params` with the model, and with the value for several languages, where they name none.
 *
 * @param chosen the deployment's model; several, where the vendor takes a list, are joined by `+`
 */
export function withDefaults(
  provider: ProviderName,
  mode: ProviderMode,
  given: Readonly<Record<string, unknown>>,
  chosen?: string,
): Readonly<Record<string, unknown>> {
  const { model, severalLanguages: several } = modeOf(provider, mode) ?? {};
  if (model === undefined) return given;
  const { parameter, current } = model;
  const used = given[parameter] ?? (Array.isArray(current) ? chosen?.split('+') : chosen) ?? current;
  const own = used === null ? given : { ...given, [parameter]: used };
  const isMultilingual = typeof used === 'string' && several?.models.test(used) === true && !('language' in given);
  return isMultilingual ? { ...own, language: several.value } : own;
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
