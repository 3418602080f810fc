import type { EntitySchemaColumnOptions } from 'typeorm';

type ColumnKind = 'uuid' | 'text' | 'integer' | 'bigint' | 'boolean' | 'jsonb' | 'timestamptz' | 'bytea' | 'tokens';

export function column(kind: ColumnKind, more: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
  if (kind === 'tokens') return { type: 'numeric', precision: 14, scale: 4, ...more };
  return { type: kind, ...more };
}
export const key = (kind: ColumnKind, name: string) => column(kind, { primary: true, primaryKeyConstraintName: name });
export const optional = (kind: ColumnKind) => column(kind, { nullable: true });
