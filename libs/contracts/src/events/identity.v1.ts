import { z } from 'zod';
import { teamId } from '../shapes.ts';
import { defineEvent } from './envelope.ts';

/** A team or its plan changed; bot-scheduler keeps a copy of the limits. Older versions are ignored. */
export const teamChanged = defineEvent(
  'identity.v1.team-changed',
  ['bot-scheduler'],
  z.object({
    teamId,
    version: z.int().positive(),
    name: z.string(),
    plan: z.object({
      name: z.string(),
      requestsPerSecond: z.int().positive(),
      dailyBotCap: z.int().positive(),
      retentionDays: z.int().positive(),
      /** Whether the team may transcribe with its own keys. */
      byokTranscription: z.boolean().default(true),
    }),
  }),
);

/** Tokens were granted to a team. `grantId` makes the credit idempotent. */
export const tokensGranted = defineEvent(
  'identity.v1.tokens-granted',
  ['bot-scheduler'],
  z.object({ teamId, grantId: z.uuid(), tokens: z.int().positive() }),
);

export const identityEvents = [teamChanged, tokensGranted] as const;
