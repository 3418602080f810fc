import { randomBytes } from 'node:crypto';
import type { Sealer } from '../secrets/sealed-text.ts';

/** The columns that hold an endpoint's secrets, and what they are bound to. */
export interface SealedSecrets {
  readonly endpointId: string;
  readonly teamId: string;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
  readonly previousSecretExpiresAt: Date | null;
}

export interface EndpointSecrets {
  /** A new secret for an endpoint: the text, shown once, and what to store. */
  create(endpointId: string, teamId: string): { readonly text: string; readonly sealed: Buffer };
  /** The present secret, sealed anew for the column of the previous one. */
  retire(held: SealedSecrets): Buffer;
  /** Every secret that signs now, the present one first. Throws when one does not open. */
  forSigning(held: SealedSecrets, nowMs: number): string[];
}

const secretBytes = 32;
const fields = { present: 'webhook_endpoints.secret', previous: 'webhook_endpoints.previous_secret' } as const;

export function createEndpointSecrets(sealer: Sealer): EndpointSecrets {
  const place = (owner: { endpointId: string; teamId: string }, field: string) => ({
    teamId: owner.teamId,
    recordId: owner.endpointId,
    field,
  });
  return {
    create: (endpointId, teamId) => {
      const text = `whsec_${randomBytes(secretBytes).toString('base64')}`;
      return { text, sealed: sealer.seal(text, place({ endpointId, teamId }, fields.present)) };
    },
    retire: (held) => {
      const text = sealer.open(held.secret, place(held, fields.present));
      return sealer.seal(text, place(held, fields.previous));
    },
    forSigning: (held, nowMs) => {
      const present = sealer.open(held.secret, place(held, fields.present));
      const { previousSecret, previousSecretExpiresAt } = held;
      if (previousSecret === null || (previousSecretExpiresAt?.getTime() ?? 0) <= nowMs) return [present];
      return [present, sealer.open(previousSecret, place(held, fields.previous))];
    },
  };
}
