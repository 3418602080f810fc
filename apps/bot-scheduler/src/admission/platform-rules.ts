import { platformNames, platforms } from '@rapporteur/contracts';
import type { Failure } from '@rapporteur/failures';
import type { MeetingLink } from '@rapporteur/meeting-links';
import { invalid } from '@rapporteur/service-runtime';
import type { CreateBotBody } from '../create-bot-body.ts';

type OwnSettings = (typeof platforms)[keyof typeof platforms]['settings'] | null;

/** Settings for another platform than the link's, as VALIDATION that names the field, or null. */
export function findForeignSettings(body: CreateBotBody, { platform }: MeetingLink): Failure | null {
  const { legacy } = body;
  if (platform !== 'zoom' && (legacy?.alpha_sdk_id ?? legacy?.alpha_sdk_pwd ?? null) !== null) {
    return invalid(
      '/body/alpha_sdk_id',
      `It is for Zoom only, and this link is on ${platforms[platform].title}. Leave it null.`,
    );
  }
  for (const owner of platformNames) {
    const { settings, title } = platforms[owner];
    const field: OwnSettings = settings;
    if (owner === platform || field === null || body[field] === null) continue;
    return invalid(
      `/body/${field}`,
      `It is for ${title} only, and this link is on ${platforms[platform].title}. Leave it null.`,
    );
  }
  return null;
}
