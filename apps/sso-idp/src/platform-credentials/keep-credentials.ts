import { randomUUID } from 'node:crypto';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { invalid } from '@rapporteur/service-runtime';
import type { CredentialRow } from '../schema/entities.ts';
import type { ZoomApp } from '../zoom/zoom-accounts.ts';
import { authorise, noConsent } from './authorise.ts';
import type { AuthoriseDependencies } from './authorise.ts';
import type { CredentialPlace } from './credential-secrets.ts';
import { codeOf } from './credential-shape.ts';
import type { CreateCredential, UpdateCredential } from './credential-shape.ts';
import {
  changeCredential,
  findCredential,
  forgetCredential,
  insertCredential,
  noRenewal,
} from './credentials.store.ts';
import type { CredentialChange } from './credentials.store.ts';

export interface KeepDependencies extends AuthoriseDependencies {
  readonly database: Database;
}

/** Throws VALIDATION, CREDENTIAL_REFUSED and UNAVAILABLE, without storing anything. */
export async function createCredential(
  dependencies: KeepDependencies,
  teamId: string,
  body: CreateCredential,
): Promise<CredentialRow> {
  const place = { teamId, credentialId: randomUUID() };
  const app = { clientId: body.client_id, clientSecret: body.client_secret };
  const code = codeOf(body);
  const consent = code === null ? noConsent : await authorise(dependencies, place, app, code);
  return await insertCredential(dependencies.database, {
    credential_id: place.credentialId,
    team_id: teamId,
    name: body.name,
    client_id: app.clientId,
    client_secret: dependencies.secrets.seal(place, 'client_secret', app.clientSecret),
    ...consent,
    extra: body.extra,
    created_at: new Date(dependencies.now()),
  });
}

/** Throws CREDENTIAL_NOT_FOUND and the errors of `createCredential`, without a change. */
export async function updateCredential(
  dependencies: KeepDependencies,
  place: CredentialPlace,
  body: UpdateCredential,
): Promise<CredentialRow> {
  const held = await findCredential(dependencies.database, place);
  if (held === null) throw fail('CREDENTIAL_NOT_FOUND');
  const code = codeOf(body);
  refuseOtherApp(held, body, code !== null);
  const columns: CredentialChange = {
    ...plainColumns(dependencies, place, body),
    updated_at: new Date(dependencies.now()),
  };
  const change = code === null ? columns : { ...columns, ...(await authoriseAnew(dependencies, held, body, code)) };
  const changed = await changeCredential(dependencies.database, place, change);
  if (changed === null) throw fail('CREDENTIAL_NOT_FOUND');
  return changed;
}

/** Throws CREDENTIAL_NOT_FOUND. */
export async function deleteCredential({ database, now }: KeepDependencies, place: CredentialPlace): Promise<void> {
  if (!(await forgetCredential(database, place, new Date(now())))) throw fail('CREDENTIAL_NOT_FOUND');
}

/** A consent is given to one app. */
function refuseOtherApp(held: CredentialRow, body: UpdateCredential, hasCode: boolean): void {
  if (body.client_id === undefined || body.client_id === held.client_id) return;
  if (held.credential_type === 'user' && !hasCode) {
    throw invalid(
      'authorization_code',
      'The user authorised the app that is stored. For another client_id send a code that was given to that app.',
    );
  }
}

function plainColumns({ secrets }: KeepDependencies, place: CredentialPlace, body: UpdateCredential): CredentialChange {
  const { name, client_id, client_secret, extra } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(client_id === undefined ? {} : { client_id }),
    ...(client_secret === undefined ? {} : { client_secret: secrets.seal(place, 'client_secret', client_secret) }),
    ...(extra === undefined ? {} : { extra }),
  };
}

async function authoriseAnew(
  dependencies: KeepDependencies,
  held: CredentialRow,
  body: UpdateCredential,
  code: { readonly code: string; readonly redirectUri: string },
): Promise<CredentialChange> {
  const place = { teamId: held.team_id, credentialId: held.credential_id };
  const app: ZoomApp = {
    clientId: body.client_id ?? held.client_id,
    clientSecret: body.client_secret ?? dependencies.secrets.open(held, 'client_secret') ?? '',
  };
  const consent = await authorise(dependencies, place, app, code);
  // Ends the lease of a concurrent renewal, whose tokens are older.
  return { ...consent, ...noRenewal, state: 'active', last_error_message: null, last_error_at: null };
}
