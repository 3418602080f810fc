import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@rapporteur/service-runtime';

export const callbackPath = '/webhooks';

/** Callback addresses for providers; only this service can create valid ones. */
export interface CallbackAddresses {
  /** Null: providers cannot reach this service. */
  of(reference: string): string | null;
  isGenuine(reference: string, token: string): boolean;
}

export function createCallbackAddresses(secret: Secret, publicUrl: string | undefined): CallbackAddresses {
  const tokenOf = (reference: string): string =>
    createHmac('sha256', secret.reveal()).update(`transcriber.webhook ${reference}`).digest('hex');
  return {
    of: (reference) =>
      publicUrl === undefined ? null : `${publicUrl}${callbackPath}/${reference}/${tokenOf(reference)}`,
    isGenuine: (reference, token) => {
      const [given, wanted] = [Buffer.from(token), Buffer.from(tokenOf(reference))];
      return given.byteLength === wanted.byteLength && timingSafeEqual(given, wanted);
    },
  };
}
