import { baseline, defineTable, jsonb, openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import type { SessionData } from 'express-session';

/** Columns of connect-pg-simple. */
const sessions = defineTable({
  name: 'sessions',
  columns: {
    /** The cookie holds it with a signature: the content of this table does not give access to a session. */
    sid: { type: 'text', primary: true, primaryKeyConstraintName: 'sessions_pkey' },
    sess: { type: jsonb<SessionData>() },
    expire: { type: 'timestamptz' },
  },
  indices: [{ name: 'sessions_expire', columns: ['expire'] }],
});

/** Opens the schema of sessions, migrated to the version of this build. */
export function openConsoleDatabase(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'console',
    entities: [sessions],
    migrations: [baseline('CreateConsole20261126000000')],
    applicationName: 'console',
    poolSize,
  });
}
