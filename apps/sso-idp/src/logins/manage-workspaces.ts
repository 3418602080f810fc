import { randomUUID } from 'node:crypto';
import { isUniqueViolation } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { invalid } from '@rapporteur/service-runtime';
import type { LoginPlatform } from '@rapporteur/contracts';
import type { WorkspaceRow } from '../schema/login-entities.ts';
import { checkPair, generatePair } from './key-pairs.ts';
import type { LoginSecrets, PemPair } from './login-secrets.ts';
import { checkServiceProviders, uploadedPair } from './workspace-shape.ts';
import type { CreateWorkspace, UpdateWorkspace } from './workspace-shape.ts';
import {
  changeWorkspace,
  cleared,
  deleteWorkspace,
  hasDomain,
  insertWorkspace,
  lockWorkspace,
} from './workspaces.store.ts';
import type { WorkspaceChange, WorkspacePlace } from './workspaces.store.ts';

export interface WorkspaceDependencies {
  readonly database: Database;
  readonly secrets: LoginSecrets;
  /** Epoch ms. */
  readonly now: () => number;
}

/** Throws WORKSPACE_INVALID and WORKSPACE_ALREADY_EXISTS, without storing anything. */
export async function createWorkspace(
  dependencies: WorkspaceDependencies,
  { teamId, platform }: { readonly teamId: string; readonly platform: LoginPlatform },
  body: CreateWorkspace,
): Promise<WorkspaceRow> {
  const { database, secrets, now } = dependencies;
  checkServiceProviders(body.service_providers);
  const ids = { team_id: teamId, workspace_id: randomUUID() };
  const conflict = fail('WORKSPACE_ALREADY_EXISTS', { details: 'domain' });
  // Looked up before a key pair is generated for nothing.
  if (await hasDomain(database, { teamId, platform, domain: body.domain })) throw conflict;
  const pair = platform === 'meet' ? await firstPair(body, now()) : null;
  const at = new Date(now());
  try {
    return await insertWorkspace(database, {
      ...ids,
      platform,
      domain: body.domain,
      name: body.name,
      certificate: pair && secrets.sealWorkspace(ids, 'certificate', pair.certPem),
      private_key: pair && secrets.sealWorkspace(ids, 'private_key', pair.keyPem),
      next_certificate: null,
      next_private_key: null,
      service_providers: body.service_providers ?? null,
      extra: body.extra,
      verify_after: pair && at,
      created_at: at,
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict;
    throw error;
  }
}

async function firstPair(body: CreateWorkspace, nowMs: number): Promise<PemPair> {
  const uploaded = uploadedPair(body);
  if (body.generate_keypair === true && uploaded !== null) {
    throw invalid(
      'generate_keypair',
      'Send either generate_keypair true or a pair of your own, not both.',
      'WORKSPACE_INVALID',
    );
  }
  if (body.generate_keypair === true) return await generatePair(body.domain, nowMs);
  if (uploaded === null) {
    throw invalid(
      'cert_pem',
      'Send generate_keypair true, or cert_pem together with private_key_pem.',
      'WORKSPACE_INVALID',
    );
  }
  checkPair(uploaded, nowMs);
  return uploaded;
}

/** Throws WORKSPACE_NOT_FOUND and WORKSPACE_INVALID, without a change. */
export async function updateWorkspace(
  { database, secrets, now }: WorkspaceDependencies,
  place: WorkspacePlace,
  body: UpdateWorkspace,
): Promise<WorkspaceRow> {
  checkServiceProviders(body.service_providers);
  return await database.transaction(async (transaction) => {
    const held = await lockWorkspace(transaction, place);
    if (held === null) throw fail('WORKSPACE_NOT_FOUND');
    const pair = uploadedPair(body);
    if (pair !== null) checkPair(pair, now());
    const { name, extra, service_providers, state } = body;
    const at = new Date(now());
    const columns: WorkspaceChange = {
      ...(name === undefined ? {} : { name }),
      ...(extra === undefined ? {} : { extra }),
      ...(service_providers === undefined ? {} : { service_providers }),
      ...(pair === null ? {} : rotation(secrets, held, pair)),
      ...(pair === null && state === undefined ? {} : cleared),
      // A changed configuration is verified soon, not only the next night.
      ...(held.platform === 'meet' ? { verify_after: at } : {}),
      updated_at: at,
    };
    const changed = await changeWorkspace(transaction, place, columns);
    if (changed === null) throw fail('WORKSPACE_NOT_FOUND');
    return changed;
  });
}

/** The pair that signs stays while the domain accepts it; an invalid workspace has no such pair. */
function rotation(secrets: LoginSecrets, held: WorkspaceRow, { certPem, keyPem }: PemPair): WorkspaceChange {
  if (held.state === 'invalid') return pairColumns(secrets, held, { certPem, keyPem });
  return {
    next_certificate: secrets.sealWorkspace(held, 'next_certificate', certPem),
    next_private_key: secrets.sealWorkspace(held, 'next_private_key', keyPem),
  };
}

/** Columns of a workspace that signs with this pair and has no rotation in progress. */
export function pairColumns(
  secrets: LoginSecrets,
  held: Pick<WorkspaceRow, 'team_id' | 'workspace_id'>,
  { certPem, keyPem }: PemPair,
): WorkspaceChange {
  return {
    certificate: secrets.sealWorkspace(held, 'certificate', certPem),
    private_key: secrets.sealWorkspace(held, 'private_key', keyPem),
    next_certificate: null,
    next_private_key: null,
  };
}

/** Throws WORKSPACE_NOT_FOUND, and LOGIN_IN_USE while a bot uses one of its logins. */
export async function removeWorkspace({ database }: WorkspaceDependencies, place: WorkspacePlace): Promise<void> {
  const removed = await database.transaction((transaction) => deleteWorkspace(transaction, place)).catch(whenInUse);
  if (!removed) throw fail('WORKSPACE_NOT_FOUND');
}

/** Converts the violation of a session's foreign key into LOGIN_IN_USE. */
export function whenInUse(error: unknown): never {
  const { driverError } = error as { readonly driverError?: { readonly code?: unknown } };
  if (driverError?.code === '23503') throw fail('LOGIN_IN_USE');
  throw error;
}
