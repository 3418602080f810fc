import type { Permission, User } from '@rapporteur/service-runtime';

/** Specification part 5: Full Access may call every operation, Sending Access only those marked for it. */
export function permits(held: Permission, needed: Permission): boolean {
  return held === 'full' || needed === 'sending';
}

/** Changes below these paths require an admin: access, destinations of data, secrets. */
const administered =
  /^\/v2\/(?:api-keys|storage-config|retention-settings|webhooks\/endpoints|meet-workspaces|meet-logins|teams-workspaces|teams-logins|zoom-credentials)(?:\/|$)/;
/** Reads below these paths require an admin too: they show who did what. */
const adminReads = /^\/v2\/(?:api-keys|audit-log)(?:\/|$)/;
/** POST operations that change nothing. */
const reads = /^\/v2\/(?:bots\/preflight|calendar-rules\/dry-run)$/;

/**
 * Permissions of a console user in the present API: a viewer reads, a member also changes bots and calendars, an admin
 * everything.
 */
export function roleMay(
  role: User['role'],
  { method, path }: { readonly method: string; readonly path: string },
): boolean {
  // Express matches paths case-insensitively.
  const place = path.toLowerCase();
  if (!place.startsWith('/v2/')) return false;
  if (role === 'admin') return true;
  if (method === 'GET' || method === 'HEAD' || reads.test(place)) return !adminReads.test(place);
  return role === 'member' && !administered.test(place);
}
