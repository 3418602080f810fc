export { assertNoDrift, isUniqueViolation, openDatabase } from './database.ts';
export type { Database, DatabaseOptions, Executor } from './database.ts';
