/** A create body as the gateway forwards it: validated, defaults applied. */
export function createBody(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    bot_name: 'Rapporteur',
    bot_image: null,
    bot_image_config: null,
    meeting_url: 'https://meet.google.com/abc-defg-hij',
    allow_multiple_bots: true,
    ignored_participant_names: [],
    recording_mode: 'speaker_view',
    entry_message: null,
    timeout_config: {
      waiting_room_timeout: 600,
      no_one_joined_timeout: 600,
      silence_timeout: 600,
      grace_period: 0,
      max_recording_duration: null,
      everyone_left_timeout: 60,
      empty_meeting_timeout: 1_800,
    },
    alpha_config: null,
    meet_config: null,
    teams_config: null,
    extra: null,
    streaming_enabled: false,
    streaming_config: null,
    transcription_enabled: false,
    transcription_config: null,
    callback_enabled: false,
    callback_config: null,
    retention_hours: null,
    ...over,
  };
}
