export const simulatedProviders = [
  'gladia',
  'deepgram',
  'assemblyai',
  'speechmatics',
  'soniox',
  'openai',
  'elevenlabs',
  'local',
] as const;
export type SimulatedProvider = (typeof simulatedProviders)[number];

/** Why a vendor does not begin a live session, or ends it. */
export const refusalClasses = ['key', 'credit', 'contract', 'sessions', 'age', 'parameter'] as const;
export type RefusalClass = (typeof refusalClasses)[number];

/** What a vendor's own documents of 2025 and 2026 say of one mode. Written apart from the product, which is tested with it. */
export interface ModeRules {
  /** Every documented host. */
  readonly hosts: readonly string[];
  /** Every documented parameter, separated by blanks. A name that ends in `*` is a beginning. */
  readonly parameters: string;
  /** Parameters that are refused now. */
  readonly retired?: readonly string[];
  readonly models?: { readonly parameter: string; readonly names: readonly string[] };
  readonly minutes?: number;
  readonly bytes?: number;
  readonly submissionsPerSecond?: number;
  readonly sessions?: number;
  readonly sessionMinutes?: number;
}

type Mode = 'batch' | 'live';

export const vendorRules: Readonly<Record<SimulatedProvider, Readonly<Partial<Record<Mode, ModeRules>>>>> = {
  gladia: {
    batch: {
      hosts: ['api.gladia.io'],
      parameters:
        'audio_url model context_prompt custom_vocabulary* custom_spelling* custom_metadata callback callback_config callback_url subtitles* diarization* translation* summarization* moderation named_entity_recognition chapterization name_consistency sentiment_analysis audio_to_llm* pii_redaction* structured_data_extraction* display_mode sentences punctuation_enhanced language_config',
      models: { parameter: 'model', names: ['solaria-1', 'solaria-3'] },
      minutes: 135,
      bytes: 1_000_000_000,
    },
    live: {
      hosts: ['api.gladia.io'],
      parameters:
        'region encoding bit_depth sample_rate channels custom_metadata model endpointing maximum_duration_without_endpointing language_config pre_processing realtime_processing post_processing messages_config callback callback_config',
      models: { parameter: 'model', names: ['solaria-1', 'solaria-3'] },
      sessions: 30,
      sessionMinutes: 180,
    },
  },
  deepgram: {
    batch: {
      hosts: ['api.deepgram.com', 'api.eu.deepgram.com'],
      parameters:
        'callback callback_method custom_intent* custom_topic* detect_entities detect_language diarize* dictation encoding extra filler_words intents keyterm keywords language language_hint measurements mip_opt_out model multichannel numerals paragraphs profanity_filter punctuate redact replace search sentiment smart_format summarize tag topics utt_split utterances version',
      models: {
        parameter: 'model',
        names: ['nova-3', 'nova-3-medical', 'nova-2', 'nova-2-meeting', 'enhanced', 'base'],
      },
      bytes: 2_000_000_000,
    },
    live: {
      hosts: ['api.deepgram.com', 'api.eu.deepgram.com'],
      parameters:
        'callback callback_method channels detect_entities diarize* dictation encoding endpointing extra filler_words interim_results keyterm keywords language language_hint mip_opt_out model multichannel numerals profanity_filter punctuate redact replace sample_rate search smart_format tag utterance_end_ms vad_events version',
      models: {
        parameter: 'model',
        names: ['nova-3', 'nova-3-medical', 'nova-2', 'nova-2-meeting', 'enhanced', 'base'],
      },
      sessions: 150,
    },
  },
  assemblyai: {
    batch: {
      hosts: ['api.assemblyai.com', 'api.eu.assemblyai.com'],
      parameters:
        'audio_url audio_start_from audio_end_at auto_chapters auto_highlights content_safety* custom_spelling disfluencies domain entity_detection filter_profanity format_text iab_categories keyterms_prompt language_code language_codes language_confidence_threshold language_detection* multichannel prompt punctuate redact_pii* redact_static_entities sentiment_analysis speaker_labels speaker_options speakers_expected speech_models speech_threshold speech_understanding summarization summary_model summary_type temperature remove_audio_tags webhook_auth* webhook_url',
      retired: ['speech_model', 'word_boost'],
      models: {
        parameter: 'speech_models',
        names: ['assemblyai-stt-3-7', 'universal-3-5-pro', 'universal-3-pro', 'universal-2'],
      },
      minutes: 600,
      bytes: 2_200_000_000,
    },
    live: {
      hosts: ['streaming.assemblyai.com', 'streaming.eu.assemblyai.com'],
      parameters:
        'speech_model sample_rate encoding format_turns keyterms_prompt prompt language language_code language_detection speaker_labels max_speakers end_of_turn_confidence_threshold min_turn_silence max_turn_silence inactivity_timeout filter_profanity domain redact_pii* vad_threshold token webhook*',
      models: {
        parameter: 'speech_model',
        names: [
          'universal-3-6-pro',
          'universal-3-5-pro',
          'u3-rt-pro',
          'universal-streaming-english',
          'universal-streaming-multilingual',
        ],
      },
      sessionMinutes: 180,
    },
  },
  speechmatics: {
    batch: {
      hosts: ['eu1.asr.api.speechmatics.com', 'us1.asr.api.speechmatics.com', 'au1.asr.api.speechmatics.com'],
      parameters:
        'language output_locale model domain additional_vocab diarization channel_diarization_labels speaker_diarization_config punctuation_overrides enable_entities audio_filtering_config transcript_filtering_config language_hints max_delay_mode',
      retired: ['operating_point'],
      models: { parameter: 'model', names: ['standard', 'enhanced', 'melia-1', 'oak-1'] },
      bytes: 1_000_000_000,
      submissionsPerSecond: 10,
    },
    live: {
      hosts: ['eu.rt.speechmatics.com', 'us.rt.speechmatics.com', 'global.rt.speechmatics.com'],
      parameters:
        'language output_locale model domain additional_vocab diarization channel_diarization_labels speaker_diarization_config punctuation_overrides enable_entities enable_partials audio_filtering_config transcript_filtering_config max_delay max_delay_mode conversation_config streaming_mode',
      retired: ['operating_point'],
      models: { parameter: 'model', names: ['standard', 'enhanced'] },
      sessions: 50,
      sessionMinutes: 2_880,
    },
  },
  soniox: {
    batch: {
      hosts: ['api.soniox.com', 'api.eu.soniox.com', 'api.jp.soniox.com'],
      parameters:
        'model file_id audio_url language_hints language_hints_strict enable_speaker_diarization enable_language_identification translation context webhook_url webhook_auth_header_name webhook_auth_header_value client_reference_id',
      models: { parameter: 'model', names: ['stt-async-v5'] },
      minutes: 300,
    },
    live: {
      hosts: ['stt-rt.soniox.com', 'stt-rt.eu.soniox.com', 'stt-rt.jp.soniox.com'],
      parameters:
        'api_key model audio_format sample_rate num_channels language_hints language_hints_strict enable_speaker_diarization enable_language_identification enable_endpoint_detection max_endpoint_delay_ms endpoint_sensitivity context translation client_reference_id',
      models: { parameter: 'model', names: ['stt-rt-v5'] },
      sessions: 10,
      sessionMinutes: 300,
    },
  },
  openai: {
    batch: {
      hosts: ['api.openai.com'],
      parameters:
        'file model chunking_strategy include[] language prompt response_format temperature timestamp_granularities[] known_speaker_names[] known_speaker_references[]',
      models: {
        parameter: 'model',
        names: [
          'whisper-1',
          'gpt-transcribe',
          'gpt-4o-transcribe',
          'gpt-4o-mini-transcribe',
          'gpt-4o-transcribe-diarize',
        ],
      },
      bytes: 26_214_400,
    },
  },
  elevenlabs: {
    live: {
      hosts: [
        'api.elevenlabs.io',
        'api.us.elevenlabs.io',
        'api.eu.residency.elevenlabs.io',
        'api.in.residency.elevenlabs.io',
      ],
      parameters:
        'model_id token include_timestamps include_language_detection audio_format language_code commit_strategy vad_silence_threshold_secs vad_threshold min_speech_duration_ms min_silence_duration_ms enable_logging keyterms',
      models: { parameter: 'model_id', names: ['scribe_v2_realtime'] },
    },
  },
  local: { live: { hosts: [], parameters: 'language' } },
};

/** Why the vendor refuses these parameters, in the words of its refusal; null: it takes them. */
export function refusedParameter(
  provider: SimulatedProvider,
  mode: Mode,
  given: Readonly<Record<string, unknown>>,
): string | null {
  const { parameters = '', retired = [], models } = vendorRules[provider][mode] ?? {};
  const names = parameters.split(' ');
  const isKnown = (name: string): boolean =>
    names.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
  for (const name of Object.keys(given)) {
    if (retired.includes(name)) return `${name} is deprecated.`;
    if (!isKnown(name)) return `${name} is not a valid parameter.`;
  }
  const chosen = models === undefined ? [] : [given[models.parameter] ?? []].flat();
  const isWrong = chosen.some((name) => typeof name !== 'string' || models?.names.includes(name) !== true);
  return isWrong ? `No such model: ${JSON.stringify(chosen)}.` : null;
}

/** Why the vendor does not take audio of this length and size; null: it does. */
export function refusedAudio(
  provider: SimulatedProvider,
  { durationMs = 0, bytes = 0 }: { readonly durationMs?: number; readonly bytes?: number },
): string | null {
  const { minutes = Infinity, bytes: mostBytes = Infinity } = vendorRules[provider].batch ?? {};
  if (durationMs > minutes * 60_000) return `The audio is too long: at most ${minutes} minutes.`;
  return bytes > mostBytes ? `Maximum content size limit (${mostBytes}) exceeded (${bytes} bytes read)` : null;
}
