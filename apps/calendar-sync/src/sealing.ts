import { rewrapColumns } from '@rapporteur/secret-box';
import type { SecretBox } from '@rapporteur/secret-box';
import type { BotConfigRow, ConnectionRow, ConsentRow } from './schema/entities.ts';

export const sealedColumns = ['client_secret', 'refresh_token', 'access_token'] as const;
export type SealedColumn = (typeof sealedColumns)[number];

export const sealedOfConsents = ['verifier', 'refresh_token'] as const;
type SealedOfConsents = (typeof sealedOfConsents)[number];

export interface CalendarPlace {
  readonly teamId: string;
  readonly calendarId: string;
}

export const calendarPlaceOf = ({ teamId, params }: CalendarCall): CalendarPlace => ({
  teamId,
  calendarId: params.calendar_id,
});
/** A request about one calendar. */
interface CalendarCall {
  readonly teamId: string;
  readonly params: { readonly calendar_id: string };
}

/** Encrypts and decrypts OAuth credentials, consents and bot configurations, each bound to its team, record and column. */
export interface Sealing {
  sealColumn(place: CalendarPlace, column: SealedColumn, text: string): Buffer;
  /** Null for an empty column. Throws when no key opens it. */
  openColumn(row: ConnectionRow, column: SealedColumn): string | null;
  sealConsent(
    place: { readonly teamId: string; readonly consentId: string },
    column: SealedOfConsents,
    text: string,
  ): Buffer;
  /** Null for an empty column. Throws when no key opens it. */
  openConsent(row: ConsentRow, column: SealedOfConsents): string | null;
  sealConfig(place: { readonly teamId: string; readonly configId: string }, body: object): Buffer;
  openConfig(row: BotConfigRow): Record<string, unknown>;
  /** Reseals a value under a former key with the current one. Throws when no key opens it. */
  rewrapConnection(row: ConnectionRow): Partial<Record<SealedColumn, Buffer>>;
  rewrapConsent(row: ConsentRow): Partial<Record<SealedOfConsents, Buffer>>;
  rewrapConfig(row: BotConfigRow): { readonly sealed?: Buffer };
}

export function createSealing(box: SecretBox): Sealing {
  const columnPlace = (teamId: string, calendarId: string, column: SealedColumn) => ({
    teamId,
    recordId: calendarId,
    field: `connections.${column}`,
  });
  const consentPlace = (teamId: string, consentId: string, column: SealedOfConsents) => ({
    teamId,
    recordId: consentId,
    field: `consents.${column}`,
  });
  const configPlace = (teamId: string, configId: string) => ({
    teamId,
    recordId: configId,
    field: 'bot_configs.sealed',
  });
  return {
    sealColumn: ({ teamId, calendarId }, column, text) => box.seal(text, columnPlace(teamId, calendarId, column)),
    openColumn: (row, column) => {
      const sealed = row[column];
      return sealed === null ? null : box.open(sealed, columnPlace(row.team_id, row.calendar_id, column));
    },
    sealConsent: ({ teamId, consentId }, column, text) => box.seal(text, consentPlace(teamId, consentId, column)),
    openConsent: (row, column) => {
      const sealed = row[column];
      return sealed === null ? null : box.open(sealed, consentPlace(row.team_id, row.consent_id, column));
    },
    sealConfig: ({ teamId, configId }, body) => box.seal(JSON.stringify(body), configPlace(teamId, configId)),
    openConfig: ({ team_id, config_id, sealed }) =>
      JSON.parse(box.open(sealed, configPlace(team_id, config_id))) as Record<string, unknown>,
    rewrapConnection: (row) =>
      rewrapColumns(box, row, sealedColumns, (_row, column) => columnPlace(row.team_id, row.calendar_id, column)),
    rewrapConsent: (row) =>
      rewrapColumns(box, row, sealedOfConsents, (_row, column) => consentPlace(row.team_id, row.consent_id, column)),
    rewrapConfig: (row) => rewrapColumns(box, row, ['sealed'], () => configPlace(row.team_id, row.config_id)),
  };
}
