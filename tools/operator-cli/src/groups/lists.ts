import { one } from '../command.ts';
import type { CommandContext, CommandDefinition } from '../command.ts';
import { tableOf } from '../sentences.ts';

type Client = Awaited<ReturnType<CommandContext['client']>>;
type Row = Readonly<Record<string, unknown>>;

export interface Listing {
  readonly summary: string;
  readonly example: string;
  /** Members of an item, shown as columns in this order. */
  readonly columns: readonly string[];
  /** The owner of the list; passed to `read`. */
  readonly operand?: { readonly name: string; readonly question: string };
  /** Printed when the list is empty. */
  readonly none: string;
  readonly read: (api: Client, operand: string) => AsyncIterable<object> | Promise<readonly object[]>;
}

const defaultLimit = 50;

/** A command that prints what an operation lists, at most `--limit` items of it. */
export function listingCommand({ summary, example, operand, columns, none, read }: Listing): CommandDefinition {
  return {
    summary,
    example,
    ...(operand === undefined ? {} : { operands: `[${operand.name}]` }),
    options: { '--limit <n>': `how many (default: ${defaultLimit})` },
    run: async ({ client, limit, operands }) => {
      const most = limit(defaultLimit);
      const of = operand === undefined ? '' : one(operands, operand.question);
      const items: Row[] = [];
      for await (const item of await read(await client(), of)) {
        if (items.length === most) break;
        items.push(item as Row);
      }
      const rows = items.map((item) => columns.map((column) => cellOf(item[column])));
      return { text: items.length === 0 ? none : tableOf(columns, rows), data: items };
    },
  };
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}
