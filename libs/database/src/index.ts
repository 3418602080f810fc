export { afterCommit, isDataException, isSerializationFailure, isUniqueViolation, openDatabase } from './database.ts';
export type { Database, DatabaseOptions, Executor } from './database.ts';
export { prepared } from './client.ts';
export { defineTable, jsonb, text } from './define-table.ts';
export type { RowOf } from './define-table.ts';
export { insertRow, updateRows } from './write-row.ts';
export { limitConnections } from './limit-connections.ts';
export { baseline, sqlMigration } from './sql-migration.ts';
export { isStorableText, storableJson, storableText, withStorableText } from './storable-text.ts';
