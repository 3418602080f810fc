import type { ApiDocument, Operation, Schema } from '../document/document.ts';
import { meanings, queryMeanings, refusalOf } from '../values/meanings.ts';
import { mutantsOf } from '../values/mutants.ts';
import { rawBodiesOf, rawQueries } from '../values/raw-bodies.ts';
import { ValidValues } from '../values/valid.ts';
import { kindOf } from './memory.ts';
import type { Memory } from './memory.ts';
import type { Random } from './random.ts';
import type { Expectation, PlannedRequest } from './request.ts';

/** The keys of one team, and invalid ones. */
export interface Keys {
  readonly full: string;
  readonly sending: string;
  readonly revoked: string;
  readonly expired: string;
}

/** The data of a request before serialization. */
export interface Draft {
  readonly operation: Operation;
  path: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  hasBody: boolean;
  value: unknown;
}

export interface PlannerDependencies {
  readonly document: ApiDocument;
  readonly random: Random;
  readonly memory: Memory;
  /** The resources of another team. */
  readonly neighbour: Memory;
  readonly keys: Keys;
}

const keyHeader = 'x-service-api-key';
const json = { 'content-type': 'application/json' };

/** Generates requests of one generation of the API for one team, each with its expected response. */
export class Planner {
  readonly #dependencies: PlannerDependencies;
  readonly #values: ValidValues;
  readonly #queryValues: ValidValues;

  constructor(dependencies: PlannerDependencies) {
    this.#dependencies = dependencies;
    this.#values = new ValidValues(dependencies.document, meanings);
    this.#queryValues = new ValidValues(dependencies.document, queryMeanings);
  }

  get operations(): readonly Operation[] {
    return this.#dependencies.document.operations;
  }

  operation(id: string): Operation | null {
    return this.operations.find((operation) => operation.id === id) ?? null;
  }

  /** The next request of a random walk. */
  next(): PlannedRequest {
    const { random } = this.#dependencies;
    const operation = random.pick(this.operations);
    switch (random.weighted({ fits: 50, misfit: 22, raw: 10, query: 4, path: 2, key: 6, stranger: 6 })) {
      case 'fits':
        return this.fitting(this.draft(operation));
      case 'misfit':
        return this.#misfitting(operation);
      case 'raw':
        return this.#rawBody(operation);
      case 'query':
        return this.#rawQuery(operation);
      case 'path':
        return this.#rawPath(operation);
      case 'key':
        return this.#withKey(operation);
      case 'stranger':
        return this.#stranger(operation);
    }
  }

  /** A request that matches the contract, with ids of this team where it has some. */
  draft(operation: Operation): Draft {
    const { random } = this.#dependencies;
    const draft: Draft = {
      operation,
      path: {},
      query: {},
      headers: { [keyHeader]: this.#dependencies.keys.full },
      hasBody: false,
      value: undefined,
    };
    for (const parameter of operation.parameters) {
      if (parameter.place === 'path') draft.path[parameter.name] = this.#idFor(operation, parameter.name);
      else if (parameter.name === 'cursor') this.#maybeCursor(draft);
      else if (parameter.required || random.chance(parameter.place === 'header' ? 0.15 : 0.25)) {
        const value = this.#parameterText(draft, parameter.name, parameter.schema);
        if (parameter.place === 'query') draft.query[parameter.name] = value;
        else draft.headers[parameter.name.toLowerCase()] = value;
      }
    }
    if (operation.body !== null && (operation.body.required || random.chance(0.7))) {
      draft.hasBody = true;
      draft.value = this.#sampleBody(operation);
    }
    return draft;
  }

  #sampleBody(operation: Operation): unknown {
    const { random } = this.#dependencies;
    const body = operation.body;
    if (body === null) return undefined;
    if (body.itemSchema === null) return this.#withKnownBot(random.sample(this.#values.of(body.schema)));
    const items = this.#values.of(body.itemSchema);
    return Array.from({ length: 1 + random.below(3) }, () => random.sample(items));
  }

  /** The legacy generation names a bot in the body. */
  #withKnownBot(value: unknown): unknown {
    const { random, memory } = this.#dependencies;
    const known = random.pickOrNull(memory.bots);
    if (known === null || typeof value !== 'object' || value === null || !('bot_uuid' in value)) return value;
    return random.chance(0.8) ? { ...value, bot_uuid: known } : value;
  }

  fitting(draft: Draft): PlannedRequest {
    return this.write(draft, { kind: 'fits', refusal: refusalOf(draft.operation, draft.value, draft.query) });
  }

  /** Serializes a draft. */
  write(draft: Draft, expectation: Expectation): PlannedRequest {
    const { operation, path, query, headers, hasBody, value } = draft;
    const words = new URLSearchParams(query).toString();
    return {
      operation,
      generation: this.#dependencies.document.name,
      method: operation.method,
      target:
        operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? '')) +
        (words === '' ? '' : `?${words}`),
      headers: { ...(hasBody ? json : {}), ...headers },
      body: hasBody ? Buffer.from(JSON.stringify(value)) : null,
      value,
      expectation,
    };
  }

  #misfitting(operation: Operation): PlannedRequest {
    const { random, document } = this.#dependencies;
    const draft = this.draft(operation);
    const places = operation.parameters.filter((parameter) => parameter.place !== 'header');
    if (operation.body === null || (places.length > 0 && random.chance(0.35))) {
      const parameter = random.pickOrNull(places);
      if (parameter === null) return this.fitting(draft);
      const mutant = random.pickOrNull(textMutants(document, parameter.schema));
      if (mutant === null) return this.fitting(draft);
      if (parameter.place === 'path') draft.path[parameter.name] = mutant;
      else draft.query[parameter.name] = mutant;
      return this.write(draft, {
        kind: 'misfits',
        reason: `${parameter.place} ${parameter.name} = ${mutant.slice(0, 80)}`,
      });
    }
    draft.hasBody = true;
    draft.value = this.#sampleBody(operation);
    if (operation.body.itemSchema !== null && random.chance(0.6)) return this.#withMisfitItem(draft);
    const mutant = random.pickOrNull(mutantsOf(document, operation.body.schema, draft.value));
    if (mutant === null) return this.fitting(draft);
    return this.write({ ...draft, value: mutant.value }, { kind: 'misfits', reason: mutant.reason });
  }

  /** A batch is taken although one of its items is not. */
  #withMisfitItem(draft: Draft): PlannedRequest {
    const { random, document } = this.#dependencies;
    const schema = draft.operation.body?.itemSchema ?? {};
    const items = draft.value as readonly unknown[];
    const at = random.below(items.length);
    const mutant = random.pickOrNull(mutantsOf(document, schema, items[at]));
    return this.fitting(mutant === null ? draft : { ...draft, value: items.with(at, mutant.value) });
  }

  #rawBody(operation: Operation): PlannedRequest {
    if (operation.body === null) return this.#rawQuery(operation);
    const draft = this.draft(operation);
    draft.hasBody = true;
    draft.value = this.#sampleBody(operation);
    const raw = this.#dependencies.random.pick(rawBodiesOf(draft.value, operation.body.limitBytes));
    const { value: _value, ...written } = this.write(draft, {
      ...(raw.mustBeRefused ? { kind: 'misfits' as const } : { kind: 'odd' as const }),
      reason: raw.reason,
    });
    const { 'content-type': _type, ...headers } = written.headers;
    return {
      ...written,
      body: raw.bytes,
      headers: raw.type === '' ? headers : { ...headers, 'content-type': raw.type },
    };
  }

  #rawQuery(operation: Operation): PlannedRequest {
    const reason = this.#dependencies.random.pick(rawQueries);
    const written = this.write({ ...this.draft(operation), query: {} }, { kind: 'odd', reason: `query ${reason}` });
    return { ...written, target: written.target + reason };
  }

  #rawPath(operation: Operation): PlannedRequest {
    const { random } = this.#dependencies;
    const written = this.write(this.draft(operation), { kind: 'odd', reason: 'path' });
    const [path = '', query] = written.target.split('?');
    const spoiled = random.pick([
      `${path}/`,
      `${path}/..`,
      path.replace('/v2/', '/v2//'),
      path.replace('/v2/', '/V2/'),
      `${path}%00`,
      `${path}%ff`,
      `${path}%`,
      `${path}/%2e%2e/%2e%2e/etc/passwd`,
      path.replaceAll('-', '%2D'),
      `${path};a=b`,
      `${path}\\..`,
      path.toUpperCase(),
      `${path}/${'x'.repeat(4_000)}`,
    ]);
    return { ...written, target: query === undefined ? spoiled : `${spoiled}?${query}` };
  }

  #withKey(operation: Operation): PlannedRequest {
    const { random, keys } = this.#dependencies;
    const draft = this.draft(operation);
    if (random.chance(0.4)) {
      draft.headers[keyHeader] = keys.sending;
      if (operation.permission === 'sending') return this.fitting(draft);
      return this.write(draft, { kind: 'forbidden', reason: 'a Sending Access key', lacksPermission: true });
    }
    const bad: Record<string, string | null> = {
      'no key': null,
      'an empty key': '',
      'a word': 'secret',
      'a wrong checksum': `${keys.full.slice(0, -1)}${keys.full.endsWith('0') ? '1' : '0'}`,
      'a revoked key': keys.revoked,
      'an expired key': keys.expired,
      'a key with more behind it': `${keys.full}x`,
      'two keys in one header': `${keys.full}, ${keys.full}`,
      SQL: `' or 1=1 --`,
      'a very long key': `rap_${'A'.repeat(6_000)}`,
      'letters of Latin-1': 'rap_\u00e4\u00f6\u00fc',
    };
    const [reason, key] = random.pick(Object.entries(bad));
    if (key === null) delete draft.headers[keyHeader];
    else draft.headers[keyHeader] = key;
    return this.write(draft, { kind: 'forbidden', reason, lacksPermission: false });
  }

  /** An id of another team, or a nonexistent one. */
  #stranger(operation: Operation): PlannedRequest {
    const { random, neighbour } = this.#dependencies;
    const draft = this.draft(operation);
    const parameter = operation.parameters.find(({ place }) => place === 'path');
    if (parameter === undefined) return this.fitting(draft);
    const theirs = neighbour.idsFor(operation, parameter.name);
    draft.path[parameter.name] =
      theirs.length > 0 && random.chance(0.7) ? random.pick(theirs) : this.#randomId(operation, parameter.name);
    const refusal = refusalOf(operation, draft.value, draft.query);
    return this.write(draft, refusal === null ? { kind: 'unknown id' } : { kind: 'fits', refusal });
  }

  #idFor(operation: Operation, parameter: string): string {
    const { random, memory } = this.#dependencies;
    const known = memory.idsFor(operation, parameter);
    if (known.length > 0 && random.chance(0.95)) return random.pick(known);
    return this.#randomId(operation, parameter);
  }

  #randomId(operation: Operation, parameter: string): string {
    const { random } = this.#dependencies;
    const hex = (length: number): string => Array.from({ length }, () => '0123456789abcdef'[random.below(16)]).join('');
    if (kindOf(operation, parameter) === 'message_id') return `msg_${hex(26)}`;
    return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
  }

  #maybeCursor(draft: Draft): void {
    const { random, memory } = this.#dependencies;
    const cursor = random.pickOrNull(memory.cursorsFor(draft.operation));
    if (cursor !== null && random.chance(0.5)) draft.query['cursor'] = cursor;
  }

  #parameterText(draft: Draft, name: string, schema: Schema): string {
    const { random, memory } = this.#dependencies;
    if (name === 'Idempotency-Key') return `fuzz-${random.below(2 ** 31)}-${random.below(2 ** 31)}`;
    if (draft.operation.method === 'GET' && name === 'bot_id' && memory.bots.length > 0) {
      const whole = schema['format'] === 'uuid';
      return random.pick(memory.bots).slice(0, whole ? undefined : 4 + random.below(33));
    }
    const meaning = queryMeanings.get(name);
    const usual = this.#queryValues.of(schema);
    const value = random.sample(meaning === undefined ? usual : meaning(usual));
    return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

/** Texts for a parameter that its schema refuses, after conversion to the parameter's type. */
function textMutants(document: ApiDocument, schema: Schema): string[] {
  const followed = document.follow(schema);
  const types = [followed['type'] ?? 'string'].flat();
  if (types.includes('string')) {
    const fits = (text: string): boolean => document.fits(schema, text);
    const tried = mutantsOf(document, schema, 'x').map(({ value }) => value);
    return tried.filter((value): value is string => typeof value === 'string' && value !== '' && !fits(value));
  }
  if (types.includes('boolean')) return ['yes', '1', 'TRUE', 'null', 'truefalse'];
  const numbers = mutantsOf(document, schema, 1).flatMap(({ value }) =>
    typeof value === 'number' ? [String(value)] : [],
  );
  return ['ten', '1,5', '1 2', 'Infinity', 'NaN', ...numbers];
}
