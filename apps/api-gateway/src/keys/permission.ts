import type { Permission, User } from '@rapporteur/service-runtime';

/** Specification part 5: Full Access may call everything, Sending Access only what is marked as open to it. */
export function permits(held: Permission, needed: Permission): boolean {
  return held === 'full' || needed === 'sending';
}

/** Changes of these need an admin: who gets in, where data goes, with which secrets. */
const administered =
  /^\/v2\/(?:api-keys|storage-config|webhooks\/endpoints|meet-workspaces|meet-logins|teams-workspaces|teams-logins|zoom-credentials)(?:\/|$)/;
/** Reads of these, too: they say who did what. */
const adminReads = /^\/v2\/(?:api-keys|audit-log)(?:\/|$)/;
/** Change nothing, though they are no GET. */
const reads = /^\/v2\/(?:bots\/preflight|calendar-rules\/dry-run)$/;

/** What a user of the console may do with the present API: a viewer reads, a member works with bots and calendars, an admin does the rest. */
export function roleMay(
  role: User['role'],
  { method, path }: { readonly method: string; readonly path: string },
): boolean {
  // Express matches paths without regard to case.
  const place = path.toLowerCase();
  if (!place.startsWith('/v2/')) return false;
  if (role === 'admin') return true;
  if (method === 'GET' || method === 'HEAD' || reads.test(place)) return !adminReads.test(place);
  return role === 'member' && !administered.test(place);
}
