import type { ClientOptions } from './call.ts';
import { createClient } from './client.ts';
import type { RapporteurClient } from './client.ts';
import { runtimeSurroundings } from './surroundings.ts';

export type { Bots, WaitOptions } from './bots.ts';
export type { ClientOptions } from './call.ts';
export type { RapporteurClient } from './client.ts';
export type { Lists, Operations, WebhookEvent } from './generated/operations.ts';
export type { components, paths } from './generated/types.ts';
export type { All, OperationResponse, CallOptions, Input, OperationId } from './operation-types.ts';
export { RapporteurError } from './rapporteur-error.ts';
export { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';
export type { WebhookHeaders } from './verify-webhook.ts';

/**
 * A client of one deployment, for one team's key. Opens nothing until its first call, and needs no closing. Throws
 * TypeError without an address or a key.
 */
export function createRapporteurClient(options: ClientOptions): RapporteurClient {
  return createClient(options, runtimeSurroundings);
}
