const sslModes = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'];
const known = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host', 'port'];

/**
 * The address of a PostgreSQL server in the form of the driver. Throws an Error that names the part which this service
 * does not support; its message contains no value.
 */
export function readDatabaseAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol))
    throw refused('must be one URL such as postgres://user:password@host:5432/database');
  if (/[,%]/.test(url.hostname.replaceAll(/%2f/gi, '')))
    throw refused('names several hosts; use one address that leads to the primary');
  for (const part of [url.username, url.password, url.pathname])
    if (/%(?![\da-f]{2})/i.test(part)) throw refused('has a damaged percent-encoding; write % as %25');
  if (url.hash !== '') throw refused('has a fragment; write # in a password as %23');
  for (const name of new Set(url.searchParams.keys())) {
    if (!known.includes(name))
      throw refused(`has the parameter ${name}, which is not honoured; known: ${known.join(', ')}`);
    if (url.searchParams.getAll(name).length > 1) throw refused(`has the parameter ${name} twice`);
  }
  return withLibpqMeaning(url);
}

/** `require` encrypts and, without `sslrootcert`, trusts any certificate, as psql does. */
function withLibpqMeaning(url: URL): string {
  const parameters = url.searchParams;
  const mode = parameters.get('sslmode');
  if (mode === null) return url.href;
  if (!sslModes.includes(mode))
    throw refused(`has an sslmode that may leave a connection unencrypted, or is none; known: ${sslModes.join(', ')}`);
  if (mode === 'verify-ca' && !parameters.has('sslrootcert')) throw refused('needs sslrootcert for sslmode=verify-ca');
  if (mode !== 'no-verify') parameters.set('uselibpqcompat', 'true');
  return url.href;
}

function refused(what: string): Error {
  return new Error(`The address of PostgreSQL (RAPPORTEUR_DATABASE_URL) ${what}.`);
}

/** The observed properties of one connection. */
export interface SessionFacts {
  /** The server process behind it. */
  readonly pid: number;
  readonly schema: string | null;
  readonly isolation: string;
}

export const sessionFactsSql = `select pg_backend_pid() as pid, current_schema() as schema,
  current_setting('transaction_isolation') as isolation`;

/** Throws unless two concurrent connections have separate sessions. */
export function assertOwnSessions(first: { readonly pid: number }, second: { readonly pid: number }): void {
  if (first.pid !== second.pid) return;
  throw new Error(
    'Two connections to PostgreSQL share one session: a pooler such as PgBouncer is in transaction or statement mode. Settings, advisory locks and schemas do not survive that. Connect directly or through a pooler in session mode.',
  );
}

/** Throws unless a connection has the settings that the statements of this service expect. */
export function assertSession({ schema, isolation }: SessionFacts, wanted: string): void {
  if (schema !== wanted)
    throw new Error(
      `A connection to PostgreSQL uses the schema ${schema ?? '(none)'} and not ${wanted}: the search path was not kept, or the role may not use the schema. Connect directly or through a pooler in session mode.`,
    );
  if (isolation !== 'read committed')
    throw new Error(`A connection to PostgreSQL has the transaction isolation ${isolation} and not read committed.`);
}
