import { EntitySchema } from 'typeorm';
import type { EntitySchemaColumnOptions, EntitySchemaOptions } from 'typeorm';

/** Values as node-postgres returns them: integers beyond 32 bits, and decimals, are text. */
interface Values {
  readonly uuid: string;
  readonly text: string;
  readonly integer: number;
  readonly bigint: string;
  readonly numeric: string;
  readonly boolean: boolean;
  readonly timestamptz: Date;
  readonly bytea: Buffer;
  readonly jsonb: unknown;
  readonly tsvector: string;
}
type Column = EntitySchemaColumnOptions & { readonly type: keyof Values };
declare const content: unique symbol;
interface Containing<T> {
  readonly [content]: T;
}
type Content<T extends keyof Values> = T extends Containing<infer C> ? C : Values[T];
type Value<C extends Column> =
  | (C extends { readonly array: true } ? Content<C['type']>[] : Content<C['type']>)
  | (C extends { readonly nullable: true } ? null : never);

/** Type of a jsonb column whose content is `T`; the content is not checked when it is read. */
export const jsonb = <T>(): 'jsonb' & Containing<T> => 'jsonb' as 'jsonb' & Containing<T>;

/** Type of a text column with known values. */
export const text = <T extends string>(): 'text' & Containing<T> => 'text' as 'text' & Containing<T>;

/** One table, defined once: TypeORM compares it with the migrations, and `RowOf` is the type of its rows. */
export function defineTable<const C extends Record<string, Column>>(
  table: Omit<EntitySchemaOptions<C>, 'columns'> & { readonly columns: C },
): EntitySchema<{ readonly [K in keyof C]: Value<C[K]> }> {
  return new EntitySchema(table);
}

export type RowOf<T extends EntitySchema> = T extends EntitySchema<infer Row> ? Row : never;
