import { randomBytes } from 'node:crypto';
import { rewrapColumns } from '@rapporteur/secret-box';
import type { SecretBox } from '@rapporteur/secret-box';
import type { EndpointRow } from '../schema/entities.ts';

/** The secret columns of an endpoint and the ids that they are bound to. */
export interface SealedSecrets {
  readonly endpointId: string;
  readonly teamId: string;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
  readonly previousSecretExpiresAt: Date | null;
}

/** The endpoint's own headers, by name. */
export type EndpointHeaders = Readonly<Record<string, string>>;

export interface EndpointSecrets {
  /** A new secret for an endpoint: the text, shown once, and the sealed column. */
  create(endpointId: string, teamId: string): { readonly text: string; readonly sealed: Buffer };
  /**
   * The current secret, resealed for the column of the previous one; null when it does not open, as after a lost key.
   */
  retire(held: SealedSecrets): Buffer | null;
  /** Every secret that signs at this time, the current one first. Throws when one does not open. */
  forSigning(held: SealedSecrets, nowMs: number): string[];
  /** The columns of an endpoint's own headers. */
  sealHeaders(
    endpointId: string,
    teamId: string,
    headers: EndpointHeaders,
  ): Pick<EndpointRow, 'headers' | 'header_names'>;
  /** Throws when they do not open. */
  openHeaders(held: {
    readonly endpointId: string;
    readonly teamId: string;
    readonly headers: Buffer | null;
  }): EndpointHeaders;
  /** The columns under a former key, resealed with the current one. Throws when one does not open. */
  rewrap(row: EndpointRow): Partial<Record<SealedColumn, Buffer>>;
}

const secretBytes = 32;
const sealedColumns = ['secret', 'previous_secret', 'headers'] as const;
type SealedColumn = (typeof sealedColumns)[number];
const fields = {
  present: 'webhook_endpoints.secret',
  previous: 'webhook_endpoints.previous_secret',
  headers: 'webhook_endpoints.headers',
} as const;

export function createEndpointSecrets(box: SecretBox): EndpointSecrets {
  const place = (owner: { endpointId: string; teamId: string }, field: string) => ({
    teamId: owner.teamId,
    recordId: owner.endpointId,
    field,
  });
  return {
    create: (endpointId, teamId) => {
      const text = `whsec_${randomBytes(secretBytes).toString('base64')}`;
      return { text, sealed: box.seal(text, place({ endpointId, teamId }, fields.present)) };
    },
    retire: (held) => {
      try {
        return box.seal(box.open(held.secret, place(held, fields.present)), place(held, fields.previous));
      } catch {
        return null;
      }
    },
    forSigning: (held, nowMs) => {
      const present = box.open(held.secret, place(held, fields.present));
      const { previousSecret, previousSecretExpiresAt } = held;
      if (previousSecret === null || (previousSecretExpiresAt?.getTime() ?? 0) <= nowMs) return [present];
      return [present, box.open(previousSecret, place(held, fields.previous))];
    },
    sealHeaders: (endpointId, teamId, headers) => {
      const header_names = Object.keys(headers);
      const text = JSON.stringify(headers);
      return {
        header_names,
        headers: header_names.length === 0 ? null : box.seal(text, place({ endpointId, teamId }, fields.headers)),
      };
    },
    openHeaders: (held) =>
      held.headers === null ? {} : (JSON.parse(box.open(held.headers, place(held, fields.headers))) as EndpointHeaders),
    rewrap: (row) =>
      rewrapColumns(box, row, sealedColumns, (_row, column) =>
        place({ endpointId: row.endpoint_id, teamId: row.team_id }, `webhook_endpoints.${column}`),
      ),
  };
}
