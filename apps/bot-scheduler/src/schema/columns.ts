type Kind = 'uuid' | 'text' | 'integer' | 'bigint' | 'boolean' | 'jsonb' | 'timestamptz' | 'bytea';

export const column = <K extends Kind>(
  type: K,
  more: { default?: number | boolean | (() => string); generated?: 'increment' } = {},
) => ({ type, ...more }) as const;
export const key = <K extends Kind>(type: K, primaryKeyConstraintName: string) =>
  ({ type, primary: true, primaryKeyConstraintName }) as const;
export const optional = <K extends Kind>(type: K) => ({ type, nullable: true }) as const;
export const ofBot = (name: string) => ({
  name,
  target: 'bots',
  columnNames: ['bot_id'],
  referencedColumnNames: ['id'],
});
export const tokens = column('bigint');
