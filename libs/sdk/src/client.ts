import { botsOf } from './bots.ts';
import type { Bots } from './bots.ts';
import { call } from './call.ts';
import type { Caller, ClientOptions } from './call.ts';
import { listNames, operations } from './generated/operations.ts';
import type { Lists, Operations } from './generated/operations.ts';
import type { CallOptions, OperationFacts } from './operation-types.ts';
import type { Surroundings } from './surroundings.ts';

/** A method per operation; `all` iterates over the items of paginated lists, `bots` has the life of a bot. */
export interface RapporteurClient extends Operations {
  readonly all: Lists;
  readonly bots: Bots;
}

type Values = Readonly<Record<string, unknown>>;

const defaultTimeoutMs = 60_000;
const defaultRetries = 2;

export function createClient(options: ClientOptions, surroundings: Surroundings): RapporteurClient {
  // Plain JavaScript has no compiler check.
  if (!options.baseUrl) throw new TypeError('baseUrl is missing: give the address of a deployment.');
  if (/\/v\d\/*$/.test(options.baseUrl))
    throw new TypeError('baseUrl is the address of a deployment: leave out the version at its end.');
  if (!options.apiKey) throw new TypeError("apiKey is missing: give a team's key, rap_….");
  const caller: Caller = {
    surroundings,
    options: {
      baseUrl: options.baseUrl,
      apiKey: options.apiKey,
      fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      retries: options.retries ?? defaultRetries,
    },
  };
  const methods = Object.entries(operations).map(([id, facts]) => [
    id,
    (input?: Values, given?: CallOptions) => responseOf(caller, facts, input ?? {}, given),
  ]);
  const lists = listNames.map((id) => [
    id,
    (input?: Values, given?: CallOptions) => everyItem(caller, operations[id], input ?? {}, given),
  ]);
  // The generated interfaces and tables come from one document; a test verifies that they match.
  const client = { ...Object.fromEntries(methods), all: Object.fromEntries(lists) } as unknown as RapporteurClient;
  return { ...client, bots: botsOf(caller, client) };
}

async function responseOf(caller: Caller, facts: OperationFacts, input: Values, given?: CallOptions): Promise<unknown> {
  const { success: _success, ...response } = await call(caller, facts, input, given);
  return facts.onlyData ? response['data'] : response;
}

async function* everyItem(
  caller: Caller,
  facts: OperationFacts,
  input: Values,
  given?: CallOptions,
): AsyncGenerator<unknown, void> {
  let cursor = input['cursor'];
  do {
    const page = await call(caller, facts, { ...input, cursor }, given);
    yield* page['data'] as unknown[];
    if (page['cursor'] === cursor) return;
    cursor = page['cursor'];
  } while (typeof cursor === 'string');
}
