import { platformNames, platforms } from '@rapporteur/contracts';
import type { MeetingPlatformName } from '@rapporteur/contracts';
import type { Failure } from '@rapporteur/failures';
import type { MeetingLink } from '@rapporteur/meeting-links';
import { invalid } from '@rapporteur/service-runtime';
import { timeoutConfig } from '../schema/create-bot-body.ts';
import type { CreateBotBody } from '../schema/create-bot-body.ts';

type OwnSettings = (typeof platforms)[keyof typeof platforms]['settings'] | null;

/** Settings for another platform than the link's, as VALIDATION that names the field, or null. */
export function findForeignSettings(body: CreateBotBody, { platform }: MeetingLink): Failure | null {
  const { legacy } = body;
  if (platform !== 'zoom' && (legacy?.alpha_sdk_id ?? legacy?.alpha_sdk_pwd ?? null) !== null) {
    return invalid(
      'alpha_sdk_id',
      `It is for Zoom only, and this link is on ${platforms[platform].title}. Leave it null.`,
    );
  }
  for (const owner of platformNames) {
    const { settings, title } = platforms[owner];
    const field: OwnSettings = settings;
    if (owner === platform || field === null || body[field] === null) continue;
    return invalid(field, `It is for ${title} only, and this link is on ${platforms[platform].title}. Leave it null.`);
  }
  return null;
}

/** Paths of timeouts that are no default and that have no effect on the platform. */
export function timeoutsWithoutEffect(
  given: Readonly<Record<string, unknown>> | undefined,
  platform: MeetingPlatformName,
): string[] {
  const defaults = timeoutConfig.parse({});
  const unused = platforms[platform].hasRoomTimeouts
    ? (['empty_meeting_timeout'] as const)
    : (['no_one_joined_timeout', 'silence_timeout'] as const);
  return unused
    .filter((name) => given !== undefined && Object.hasOwn(given, name) && given[name] !== defaults[name])
    .map((name) => `timeout_config.${name}`);
}
