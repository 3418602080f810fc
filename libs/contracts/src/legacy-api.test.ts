import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { legacyDocument } from './legacy-api.ts';
import { publicDocument, publicOperations, withClosedResponses } from './public-api.ts';

type Json = Record<string, unknown>;
const document = legacyDocument as {
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Json };
  webhooks: Json;
};
const operations = publicOperations(legacyDocument);

function at(path: string, method: string): Json {
  return document.paths[path]?.[method] ?? {};
}

function resolve(value: unknown): Json {
  const reference = (value as Json)['$ref'];
  if (typeof reference !== 'string') return value as Json;
  const steps = reference.slice(2).split('/');
  return resolve(steps.reduce<unknown>((place, step) => (place as Json)[step.replaceAll('~1', '/')], document));
}

function openObjects(place: unknown, path = '#'): string[] {
  if (typeof place !== 'object' || place === null) return [];
  const { type, additionalProperties } = place as Json;
  const isOpen = [type].flat().includes('object') && additionalProperties !== false;
  const inside = Object.entries(place).filter(([name]) => !['example', 'examples', 'default'].includes(name));
  return [...(isOpen ? [path] : []), ...inside.flatMap(([name, value]) => openObjects(value, `${path}/${name}`))];
}

describe('the legacy API document', () => {
  test('is OpenAPI 3.1 and carries version 1.1', () => {
    expect(legacyDocument).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { version: '1.1' } });
  });

  test('has the operations of the first generation, for Full Access only', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'delete /bots/{uuid}',
      'delete /calendar_events/{uuid}/bot',
      'delete /calendars/{uuid}',
      'get /bots/bots_with_metadata',
      'get /bots/meeting_data',
      'get /bots/webhooks',
      'get /bots/webhooks/bot',
      'get /bots/{uuid}/screenshots',
      'get /calendar_events/',
      'get /calendar_events/{uuid}',
      'get /calendars/',
      'get /calendars/{uuid}',
      'patch /calendar_events/{uuid}/bot',
      'patch /calendars/{uuid}',
      'post /bots/',
      'post /bots/retranscribe',
      'post /bots/{uuid}/delete_data',
      'post /calendar',
      'post /calendar_events/{uuid}/bot',
      'post /calendars/',
      'post /calendars/raw',
      'post /calendars/resync_all',
    ]);
    expect(new Set(operations.map(({ permission }) => permission))).toEqual(new Set(['full']));
  });

  test('shares no operation id and no path with v2', () => {
    const modern = publicOperations(publicDocument);
    const ids = new Set(modern.map(({ id }) => id));
    const paths = new Set(modern.map(({ path }) => path));
    for (const { id, path } of operations) expect([id, ids.has(id), paths.has(path)]).toEqual([id, false, false]);
  });

  test.each(operations)(
    '$id answers every error with the envelope and names 403, 431, 500 and 503',
    ({ method, path }) => {
      const responses = at(path, method)['responses'] as Json;
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', '403', '431', '500', '503']));
      expect(Object.keys(responses)).toContain('429');
      for (const [status, response] of Object.entries(responses).filter(([name]) => Number(name) >= 400)) {
        const content = resolve(response)['content'] as Json;
        expect([status, (content['application/json'] as Json)['schema']]).toEqual([
          status,
          { $ref: '#/components/schemas/Error' },
        ]);
      }
    },
  );

  test('lets every POST be repeated safely with an Idempotency-Key, and nothing else', () => {
    for (const { id, method, path, idempotent } of operations) {
      expect([id, idempotent]).toEqual([id, method === 'post']);
      if (!idempotent) continue;
      expect(Object.keys(at(path, method)['responses'] as Json)).toEqual(expect.arrayContaining(['400', '409', '422']));
    }
  });

  test('states of every operation whether its body must be there, and what comes of a wrong one', () => {
    const withBody = operations.filter(({ body }) => body !== 'none');
    expect(withBody.map(({ id, body }) => `${id} ${body}`).sort()).toEqual([
      'addCalendar required',
      'addCalendarByFormerPath required',
      'join required',
      'listProviderCalendars required',
      'replaceCalendarCredentials required',
      'retranscribe required',
      'scheduleEventBot required',
      'updateEventBot required',
    ]);
    for (const { path, method } of withBody) {
      expect(Object.keys(at(path, method)['responses'] as Json)).toEqual(expect.arrayContaining(['400', '413', '415']));
    }
  });

  test('has the error of v2, member by member', () => {
    const modern = publicDocument as { components: { schemas: Json } };
    expect(document.components.schemas['Error']).toEqual(modern.components.schemas['Error']);
  });

  test('names every member of its objects but those whose members are free', () => {
    expect(new Set(openObjects(withClosedResponses(document)).map((path) => path.split('/').at(-1)))).toEqual(
      new Set(['extra', 'raw', 'transcription_custom_parameters', 'WebhookSample']),
    );
  });

  test('gives a sample of every event, which fits it', () => {
    const ajv = new Ajv2020({ allErrors: true, strict: false });
    addFormats.default(ajv);
    ajv.addSchema({ ...document, $id: 'contract' });
    for (const [event, item] of Object.entries(document.webhooks)) {
      const { requestBody } = (item as Json)['post'] as { requestBody: { content: Json } };
      const { schema, example } = requestBody.content['application/json'] as { schema: Json; example: unknown };
      expect(example).toMatchObject({ event, data: { bot_id: expect.any(String) } });
      const validate = ajv.compile({ $ref: `contract${String(schema['$ref'])}` });
      expect([event, validate(example), validate.errors]).toEqual([event, true, null]);
    }
  });
});
