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
type Value<C extends Column> =
  | (C extends { readonly array: true } ? Values[C['type']][] : Values[C['type']])
  | (C extends { readonly nullable: true } ? null : never);

/** One table, defined once: TypeORM compares it with the migrations, and `RowOf` is the type of its rows. */
export function defineTable<const C extends Record<string, Column>>(
  table: Omit<EntitySchemaOptions<C>, 'columns'> & { readonly columns: C },
): EntitySchema<{ readonly [K in keyof C]: Value<C[K]> }> {
  return new EntitySchema(table);
}

/** A row of a table. `Known` narrows column types: possible texts, the content of a jsonb. */
export type RowOf<T extends EntitySchema, Known = unknown> =
  T extends EntitySchema<infer Row>
    ? Known extends Partial<Row>
      ? Omit<Row, keyof Known> & Readonly<Known>
      : unknown extends Known
        ? Row
        : never
    : never;
