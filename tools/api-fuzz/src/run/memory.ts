import type { Operation } from '../document/document.ts';

const mostKept = 200;
/** Members that name a resource. Not `key_id`: a team that revokes its own key sends nothing more. */
const remembered = ['endpoint_id', 'message_id', 'credential_id', 'workspace_id', 'rule_id'] as const;

/** Ids and cursors from earlier responses, by kind; the newest are kept. */
export class Memory {
  readonly #ids = new Map<string, string[]>();
  readonly #cursors = new Map<string, string[]>();

  /** Ids known under a path parameter's name, `scheduled` ones apart from running ones. */
  idsFor(operation: Operation, parameter: string): readonly string[] {
    return this.#ids.get(kindOf(operation, parameter)) ?? [];
  }

  cursorsFor(operation: Operation): readonly string[] {
    return this.#cursors.get(operation.id) ?? [];
  }

  get bots(): readonly string[] {
    return this.#ids.get('bot') ?? [];
  }

  /** Takes the ids of new bots out of a response of either generation. */
  noteCreated(operation: Operation, json: unknown): void {
    const body = (json ?? {}) as Record<string, unknown>;
    for (const one of [body['data'] ?? body].flat()) {
      const id = (one as Record<string, unknown> | null)?.['bot_id'];
      if (typeof id === 'string') this.#note(/^scheduleBots?$/.test(operation.id) ? 'scheduled bot' : 'bot', id);
    }
  }

  /** Collects every id and cursor of a response. */
  noteResponse(operation: Operation, json: unknown): void {
    const body = (json ?? {}) as Record<string, unknown>;
    for (const name of ['cursor', 'prev_cursor', 'next_cursor']) {
      const cursor = body[name];
      if (typeof cursor === 'string') keep(this.#cursors, operation.id, cursor);
    }
    for (const one of [body['data']].flat()) {
      if (typeof one !== 'object' || one === null) continue;
      for (const name of remembered) {
        const id = (one as Record<string, unknown>)[name];
        if (typeof id === 'string') this.#note(name, id);
      }
    }
  }

  #note(kind: string, id: string): void {
    keep(this.#ids, kind, id);
  }
}

function keep(lists: Map<string, string[]>, name: string, value: string): void {
  const list = lists.get(name) ?? [];
  if (list.includes(value)) return;
  list.push(value);
  if (list.length > mostKept) list.shift();
  lists.set(name, list);
}

/** Bots of the list of scheduled ones are requested by paths of their own. */
export function kindOf({ path }: Operation, parameter: string): string {
  if (remembered.some((name) => name === parameter)) return parameter;
  return path.includes('/scheduled/') ? 'scheduled bot' : 'bot';
}
