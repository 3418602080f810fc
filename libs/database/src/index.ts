export { afterCommit, assertNoDrift, isAway, isDataException, isUniqueViolation, openDatabase } from './database.ts';
export type { Database, DatabaseOptions, Executor } from './database.ts';
export { limitConnections } from './limit-connections.ts';
