import type { components } from '@rapporteur/sdk';
import type { Provider } from '../elements/providers.ts';

type CreateBot = components['schemas']['CreateBot'];

/** The form as it is filled in. */
export interface BotDraft {
  readonly meetingUrl: string;
  readonly botName: string;
  readonly when: 'now' | 'later';
  /** In the form of an input of type datetime-local, in the browser's time zone. */
  readonly joinAt: string;
  readonly recordingMode: components['schemas']['RecordingMode'];
  readonly provider: '' | Provider;
  readonly entryMessage: string;
}

export const emptyDraft: BotDraft = {
  meetingUrl: '',
  botName: 'Rapporteur',
  when: 'now',
  joinAt: '',
  recordingMode: 'speaker_view',
  provider: '',
  entryMessage: '',
};

/** The request to the API; the time of joining is separate, because preflight takes none. */
export function requestOf(draft: BotDraft): CreateBot {
  const message = draft.entryMessage.trim();
  return {
    bot_name: draft.botName.trim(),
    meeting_url: draft.meetingUrl.trim(),
    recording_mode: draft.recordingMode,
    ...(message === '' ? {} : { entry_message: message }),
    ...(draft.provider === ''
      ? {}
      : { transcription_enabled: true, transcription_config: { provider: draft.provider } }),
  };
}

/** Null: now. */
export function joinAtOf({ when, joinAt }: Pick<BotDraft, 'when' | 'joinAt'>): string | null {
  if (when === 'now') return null;
  const at = new Date(joinAt);
  if (Number.isNaN(at.getTime())) throw new Error('Choose the time at which the bot joins.');
  return at.toISOString();
}
