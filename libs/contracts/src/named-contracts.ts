import { z } from 'zod';
import { botInvocation } from './bot-invocation.v1.ts';
import { botEvents } from './events/bots.v1.ts';
import { calendarEvents } from './events/calendars.v1.ts';
import { eventEnvelope } from './events/envelope.ts';
import type { EventDefinition } from './events/envelope.ts';
import { identityEvents } from './events/identity.v1.ts';
import { loginEvents } from './events/logins.v1.ts';
import { transcriptEvents } from './events/transcripts.v1.ts';
import { integrityReport } from './integrity-report.v1.ts';
import { pagePack, pagePackOverlay } from './page-pack.v1.ts';
import { pageStructure } from './page-structure.v1.ts';
import {
  joinTokenReply,
  joinTokenRequest,
  leaseReply,
  leaseRequest,
  runnerReport,
  signInResponse,
  signInRequest,
} from './runner-report.v1.ts';

/** Every event that an outbox may contain. */
export const eventDefinitions: readonly EventDefinition<unknown>[] = [
  ...botEvents,
  ...calendarEvents,
  ...identityEvents,
  ...loginEvents,
  ...transcriptEvents,
];

/** An event on the bus: the envelope with this type's data inside. */
export function envelopeOf(definition: EventDefinition<unknown>): z.ZodType {
  return eventEnvelope.extend({ type: z.literal(definition.type), data: definition.data });
}

/**
 * Every document that crosses a process, by the name of its schema file and its examples folder. The version is part of
 * the name: additions are compatible, a breaking change is a new name beside the old one.
 */
export const namedContracts: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ...eventDefinitions.map((definition): [string, z.ZodType] => [definition.type, envelopeOf(definition)]),
  ['bot-invocation.v1', botInvocation],
  ['runner-report.v1', runnerReport],
  ['integrity-report.v1', integrityReport],
  ['page-pack.v1', pagePack],
  ['page-pack-overlay.v1', pagePackOverlay],
  ['page-structure.v1', pageStructure],
  ['lease-request.v1', leaseRequest],
  ['lease-reply.v1', leaseReply],
  ['join-token-request.v1', joinTokenRequest],
  ['join-token-reply.v1', joinTokenReply],
  ['sign-in-request.v1', signInRequest],
  ['sign-in-response.v1', signInResponse],
]);
