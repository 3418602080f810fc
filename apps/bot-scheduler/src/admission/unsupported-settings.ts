import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import type { MeetingLink } from '@rapporteur/meeting-links';
import type { CreateBotBody } from './create-bot-body.ts';

interface Requirement {
  readonly field: string;
  readonly asked: (body: CreateBotBody) => boolean;
  readonly sentence: string;
}

const notYet: readonly Requirement[] = [
  {
    field: 'transcription_enabled',
    asked: (body) => body.transcription_enabled,
    sentence: 'This deployment does not transcribe yet. Send transcription_enabled false.',
  },
  {
    field: 'streaming_enabled',
    asked: (body) => body.streaming_enabled,
    sentence: 'This deployment does not stream audio yet. Send streaming_enabled false.',
  },
  {
    field: 'recording_mode',
    asked: (body) => body.recording_mode === 'gallery_view',
    sentence: 'gallery_view is not available yet. Use speaker_view or audio_only.',
  },
  {
    field: 'callback_enabled',
    asked: (body) => body.callback_enabled,
    sentence:
      'This deployment does not call back per bot yet. Send callback_enabled false and register a webhook endpoint.',
  },
  {
    field: 'bot_image',
    asked: (body) => body.bot_image !== null,
    sentence: 'This deployment does not show bot images yet. Leave bot_image out.',
  },
];

const platformNames = { meet: 'Google Meet', teams: 'Microsoft Teams', zoom: 'Zoom' } as const;
const configOf = { meet: 'meet_config', teams: 'teams_config', zoom: 'alpha_config' } as const;

/**
 * What was asked for and cannot be done, as the failure to answer with, or null. Nothing is accepted and then dropped.
 */
export function findUnsupported(body: CreateBotBody, link: MeetingLink): Failure | null {
  const missing = notYet.find((requirement) => requirement.asked(body));
  if (missing !== undefined) {
    return fail('NOT_CONFIGURED_YET', { message: missing.sentence, details: `/body/${missing.field}` });
  }
  if (link.platform !== 'meet') {
    return fail('NOT_CONFIGURED_YET', {
      message: `This deployment cannot send bots to ${platformNames[link.platform]} yet, only to Google Meet.`,
      details: '/body/meeting_url',
    });
  }
  return foreignConfig(body, link) ?? missingLogin(body);
}

function foreignConfig(body: CreateBotBody, link: MeetingLink): Failure | null {
  const foreign = Object.entries(configOf).find(
    ([platform, field]) => platform !== link.platform && body[field] !== null,
  );
  if (foreign === undefined) return null;
  const [platform, field] = foreign as [keyof typeof platformNames, string];
  return fail('VALIDATION', {
    message: `${field} is for ${platformNames[platform]} only; this link is on ${platformNames[link.platform]}. Leave it null.`,
    details: `/body/${field}`,
  });
}

/** No login can be active here, so `fallback` alone decides; `anonymous` joins without one, as the customer asked. */
function missingLogin(body: CreateBotBody): Failure | null {
  if (body.meet_config === null || body.meet_config['fallback'] === 'anonymous') return null;
  return fail('MEET_LOGIN_UNAVAILABLE', {
    message:
      'No active meet login is there for this bot. Set meet_config.fallback to anonymous, or leave meet_config out.',
    details: '/body/meet_config',
  });
}
