import { loginPlatforms, platforms } from '@rapporteur/contracts/platforms';
import { parseMeetingLink } from '@rapporteur/meeting-links';
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
  readonly waitingMinutes: number;
  /** What happens when no login is free; empty: the bot is a guest. */
  readonly login: '' | 'fail' | 'anonymous';
  readonly retentionDays: string;
}

const usualMinutes = 10;

export const emptyDraft: BotDraft = {
  meetingUrl: '',
  botName: 'Rapporteur',
  when: 'now',
  joinAt: '',
  recordingMode: 'speaker_view',
  provider: 'meeting_captions',
  entryMessage: '',
  waitingMinutes: usualMinutes,
  login: '',
  retentionDays: '',
};

/** The request to the API; the time of joining is separate, because preflight takes none. */
export function requestOf(draft: BotDraft): CreateBot {
  const message = draft.entryMessage.trim();
  const days = Number(draft.retentionDays);
  return {
    bot_name: draft.botName.trim(),
    meeting_url: draft.meetingUrl.trim(),
    recording_mode: draft.recordingMode,
    ...(message === '' ? {} : { entry_message: message }),
    ...(draft.waitingMinutes === usualMinutes
      ? {}
      : { timeout_config: { waiting_room_timeout: draft.waitingMinutes * 60 } }),
    ...loginOf(draft),
    ...(days > 0 ? { retention_hours: days * 24 } : {}),
    ...(draft.provider === ''
      ? {}
      : { transcription_enabled: true, transcription_config: { provider: draft.provider } }),
  };
}

type LoginSettings = Pick<CreateBot, 'meet_config' | 'teams_config'>;

/** By the platform of the link, as far as it is one with stored logins. */
function loginOf(draft: BotDraft): LoginSettings {
  const platform = loginPlatforms.find((name) => name === platformOf(draft.meetingUrl).platform);
  return draft.login === '' || platform === undefined
    ? {}
    : { [platforms[platform].settings]: { fallback: draft.login } };
}

/** Why the chosen login applies to no bot of this link; null: it applies, or none is chosen. */
export function loginProblem({ login, meetingUrl }: BotDraft): string | null {
  const { platform, reason } = platformOf(meetingUrl);
  if (login === '' || loginPlatforms.some((name) => name === platform)) return null;
  return platform === null ? reason : `${platforms[platform].title} has no stored logins. Choose “Joins as a guest”.`;
}

/** A link of no platform is read once more as one of a simulator: only the API has the hosts of simulators. */
function platformOf(text: string) {
  const real = parseMeetingLink(text);
  if (real.accepted) return { platform: real.link.platform, reason: '' };
  if (real.platform !== null || !URL.canParse(text)) return real;
  const simulated = parseMeetingLink(text, { simulator: { linkHosts: [new URL(text).host] } });
  return { platform: simulated.accepted ? simulated.link.platform : simulated.platform, reason: real.reason };
}

/** Null: now. */
export function joinAtOf({ when, joinAt }: Pick<BotDraft, 'when' | 'joinAt'>): string | null {
  if (when === 'now') return null;
  const at = new Date(joinAt);
  if (Number.isNaN(at.getTime())) throw new Error('Choose the time at which the bot joins.');
  return at.toISOString();
}
