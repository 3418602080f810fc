import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { legacyDocument } from './legacy-api.ts';
import { publicDocument, publicOperations, withClosedResponses } from './public-api.ts';

type Json = Record<string, unknown>;
const document = publicDocument as { paths: Record<string, Record<string, Json>>; components: Json };
const operations = publicOperations();

function at(path: string, method: string): Json {
  return document.paths[path]?.[method] ?? {};
}

/** Follows `#/a/b` references to the first schema that is not one. */
function resolve(value: unknown, within: unknown = document): Json {
  const reference = (value as Json)['$ref'];
  if (typeof reference !== 'string') return value as Json;
  const found = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((place, name) => (place as Json)[name.replaceAll('~1', '/')], within);
  return resolve(found, within);
}

function everySchema(place: unknown, session: (schema: Json, path: string) => void, path = '#'): void {
  if (typeof place !== 'object' || place === null) return;
  if (!Array.isArray(place)) session(place as Json, path);
  for (const [name, value] of Object.entries(place)) {
    if (name !== 'example' && name !== 'examples' && name !== 'default') everySchema(value, session, `${path}/${name}`);
  }
}

describe('the public API document', () => {
  test('is OpenAPI 3.1 and carries version 2.0.0', () => {
    expect(publicDocument).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { version: '2.0.0' } });
  });

  test('gives every operation an id of its own, a summary, an owner and a permission', () => {
    expect(new Set(operations.map((operation) => operation.id)).size).toBe(operations.length);
    for (const { path, method } of operations) {
      expect(at(path, method)).toMatchObject({ summary: expect.any(String), description: expect.any(String) });
    }
  });

  test('names what a response shows once: null in a replay', () => {
    const once = operations.flatMap(({ id, shownOnce }) => (shownOnce === null ? [] : [[id, shownOnce]]));
    expect(Object.fromEntries(once)).toEqual({
      createApiKey: 'api_key',
      createWebhookEndpoint: 'secret',
      rotateWebhookSecret: 'secret',
    });
    const text = JSON.stringify(document.components);
    expect(text.match(/Idempotency-Replayed: true/g)).toHaveLength(2);
    for (const { path, method, shownOnce } of operations) {
      const { responses } = at(path, method) as { responses: Record<string, { content?: Record<string, Json> }> };
      const data = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content?.[
        'application/json'
      ];
      const schema = resolve((resolve(data?.['schema'] ?? {})['properties'] as Json | undefined)?.['data'] ?? {});
      const marked = Object.entries((schema['properties'] ?? {}) as Record<string, Json>).filter(([, property]) =>
        String(property['description']).includes('Idempotency-Replayed'),
      );
      expect([path, marked.map(([name]) => name)]).toEqual([path, shownOnce === null ? [] : [shownOnce]]);
    }
  });

  test('opens only the five POST routes of specification part 5 to Sending Access', () => {
    const open = operations.filter((operation) => operation.permission === 'sending');
    const allowed = [
      'post /v2/bots',
      'post /v2/bots/batch',
      'post /v2/bots/scheduled',
      'post /v2/bots/scheduled/batch',
      'post /v2/calendars/{calendar_id}/bots',
    ];
    const routes = operations.map(({ method, path }) => `${method} ${path}`);
    expect(open.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      allowed.filter((route) => routes.includes(route)).sort(),
    );
  });

  test.each(operations)(
    '$id answers every error with the envelope and names 403, 431, 500 and 503',
    ({ method, path }) => {
      const responses = at(path, method)['responses'] as Json;
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['403', '431', '500', '503']));
      expect(Object.keys(responses)).toContain('429');
      for (const [status, response] of Object.entries(responses)) {
        const content = resolve(response)['content'] as Json;
        const schema = (content['application/json'] as Json)['schema'];
        if (Number(status) >= 400) expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
        else expect(schema).toMatchObject({ properties: { success: { const: true } } });
      }
    },
  );

  test.each(operations.filter((operation) => operation.takesBody))(
    '$id, which takes a body, names 400, 413 and 415',
    ({ method, path }) => {
      expect(Object.keys(at(path, method)['responses'] as Json)).toEqual(expect.arrayContaining(['400', '413', '415']));
    },
  );

  test('lets every POST be repeated safely with an Idempotency-Key, and nothing else', () => {
    for (const { id, method, idempotent } of operations) expect([id, idempotent]).toEqual([id, method === 'post']);
    for (const { path, method } of operations.filter((operation) => operation.idempotent)) {
      expect(Object.keys(at(path, method)['responses'] as Json)).toEqual(expect.arrayContaining(['400', '409', '422']));
    }
  });

  test('states of every operation whether its body must be there', () => {
    const withBody = (body: string) => operations.filter((operation) => operation.body === body).map(({ id }) => id);
    expect(withBody('optional').sort()).toEqual([
      'pauseBotRecording',
      'resumeBotRecording',
      'retranscribeBot',
      'retryBotCallback',
      'verifyMeetWorkspace',
    ]);
    for (const operation of operations) expect(operation.takesBody).toBe(operation.body !== 'none');
  });

  test('closes every object of a request but those whose members are free', () => {
    const open: string[] = [];
    // Closing responses leaves schemas open that requests use as well.
    everySchema(withClosedResponses(document), (schema, path) => {
      // A schema after a condition adds a rule to an object that is closed where it is defined.
      if (/\/(if|then|else)\//.test(path)) return;
      const isObject =
        schema['type'] === 'object' || (Array.isArray(schema['type']) && schema['type'].includes('object'));
      if (isObject && schema['additionalProperties'] !== false) open.push(path);
    });
    expect(new Set(open.map((path) => path.split('/').at(-1)))).toEqual(
      new Set([
        'CustomParams',
        'Extra',
        'WebhookHeaders',
        'WebhookPayload',
        'failure_data',
        'provider_metadata',
        'raw_payload',
        'target',
      ]),
    );
  });

  test.each([
    ['v2', publicDocument],
    ['legacy', legacyDocument],
  ])('admits members in every response and webhook of %s that a later version may add', (_generation, published) => {
    const { paths, webhooks, components } = published as typeof document & { webhooks: Record<string, Json> };
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    const sent = [...operations.map((operation) => operation['responses']), ...Object.values(webhooks)];
    const closed = new Set<string>();
    const seen = new Set<unknown>();
    const session = (place: unknown): void =>
      everySchema(place, (schema, path) => {
        if (schema['additionalProperties'] === false) closed.add(path);
        const reference = schema['$ref'];
        if (typeof reference !== 'string' || seen.has(reference)) return;
        seen.add(reference);
        session(resolve(schema, { paths, components }));
      });
    session(sent);
    expect([...closed]).toEqual([]);
    expect(seen.size).toBeGreaterThan(20);
  });

  test('keeps every object of a request closed as it is published', () => {
    const open = new Set<string>();
    for (const { path, method, takesBody, itemSchema } of operations) {
      if (!takesBody) continue;
      const content = resolve(at(path, method)['requestBody'])['content'] as Record<string, Json>;
      const body = resolve(content['application/json']?.['schema']);
      const schemas = [body, ...(itemSchema === null ? [] : [resolve({ $ref: `#/components/schemas/${itemSchema}` })])];
      for (const schema of schemas)
        if (schema['properties'] !== undefined && schema['additionalProperties'] !== false)
          open.add(`${method} ${path}`);
    }
    expect([...open]).toEqual([]);
  });

  test('never writes `nullable`, which OpenAPI 3.1 ignores', () => {
    everySchema(document, (schema, path) =>
      expect({ path, nullable: 'nullable' in schema }).toEqual({ path, nullable: false }),
    );
  });

  test('refuses an operation without an owner', () => {
    const broken = { paths: { '/v2/bots': { post: { operationId: 'createBot', 'x-permission': 'sending' } } } };
    expect(() => publicOperations(broken)).toThrow(z.ZodError);
  });
});
