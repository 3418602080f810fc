import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { platformNames } from './platforms.ts';
import { webhookEventNames } from './webhook-events.ts';
import { publicDocument, publicOperations } from './public-api.ts';

type Json = Record<string, unknown>;
const document = publicDocument as {
  paths: Record<string, Record<string, Json>>;
  webhooks: Record<string, Json>;
  components: { schemas: Record<string, Json> };
};
const { schemas } = document.components;

// As in the gateway: defaults are filled in, every problem is reported, extensions of the document are ignored.
const ajv = new Ajv2020({ allErrors: true, strict: false, useDefaults: true });
addFormats.default(ajv);
ajv.addSchema({ ...document, $id: 'contract' });

/** The value with its defaults, and its problems. */
function check(schema: string, value: unknown): { value: unknown; problems: string[] } {
  return checkWith({ $ref: `#${schema}` }, value);
}

function checkWith(schema: Json, value: unknown): { value: unknown; problems: string[] } {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"contract#')) as Json);
  const copy: { value: unknown } = { value: structuredClone(value) };
  validate(copy.value);
  const problems = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if');
  return { value: copy.value, problems: problems.map((problem) => `${problem.instancePath} ${problem.message}`) };
}
const component = (name: string) => `/components/schemas/${name}`;
const smallest = { bot_name: 'Rapporteur', meeting_url: 'https://meet.google.com/abc-defg-hij' };
const allTimeouts = {
  waiting_room_timeout: 600,
  no_one_joined_timeout: 600,
  silence_timeout: 600,
  grace_period: 0,
  everyone_left_timeout: 60,
  empty_meeting_timeout: 1_800,
  max_recording_duration: null,
};

describe('what is sent to create a bot', () => {
  test.each([
    ['callback_enabled without an address', { callback_enabled: true }, ['/callback_config must be object']],
    [
      'a callback secret that is no header',
      { callback_config: { url: 'https://a.example', secret: 'a\r\nb' } },
      ['secret'],
    ],
    [
      'streaming mode transcription alone',
      { streaming_config: { mode: 'transcription' } },
      ["property 'transcription'"],
    ],
    [
      'streaming mode transcription with null',
      { streaming_config: { mode: 'transcription', transcription: null } },
      ['/streaming_config/transcription must be object'],
    ],
    ['the streaming-only provider for a recording', { transcription_config: { provider: 'elevenlabs' } }, ['provider']],
    [
      'a bad Meet credential id',
      { meet_config: { credential_id: 'x' } },
      ['/meet_config/credential_id must match format'],
    ],
    [
      'a bad Teams credential id',
      { teams_config: { credential_id: 'x' } },
      ['/teams_config/credential_id must match format'],
    ],
    ['streaming switched on without its settings', { streaming_enabled: true }, ['/streaming_config must be object']],
    [
      'streaming switched on without an address',
      { streaming_enabled: true, streaming_config: { input_url: null } },
      ['/streaming_config/input_url must be string'],
    ],
    ['a group that is no address', { meet_config: { email_group: 'bots' } }, ['/meet_config/email_group']],
  ])('is refused with %s', (_what, fields, problems) => {
    const found = check(component('CreateBot'), { ...smallest, ...fields }).problems.join('\n');
    for (const problem of problems) expect(found).toContain(problem);
  });

  test.each([
    [
      'several images taking turns',
      { bot_image: ['https://a.example/1.png', 'https://a.example/2.png'], bot_image_config: {} },
    ],
    ['a null bot_image_config', { bot_image_config: null }],
    ['a callback that is switched off', { callback_enabled: false, callback_config: { url: 'https://a.example' } }],
    [
      'the sixth provider for streaming',
      { streaming_config: { mode: 'transcription', transcription: { provider: 'elevenlabs' } } },
    ],
    ['an empty group', { meet_config: { email_group: '' } }],
    ['streaming to one address', { streaming_enabled: true, streaming_config: { output_url: 'wss://a.example' } }],
    ['streaming that is switched off', { streaming_enabled: false, streaming_config: null }],
    ['a group', { teams_config: { email_group: 'bots@example.com' } }],
  ])('passes with %s', (_what, fields) => {
    expect(check(component('CreateBot'), { ...smallest, ...fields }).problems).toEqual([]);
  });

  test.each([
    ['no timeouts', {}, allTimeouts],
    ['no timeout of any kind', { timeout_config: {} }, allTimeouts],
    ['one timeout', { timeout_config: { silence_timeout: 900 } }, { ...allTimeouts, silence_timeout: 900 }],
  ])('ends with all seven timeouts when it names %s', (_what, fields, timeouts) => {
    for (const [name, more] of [
      ['CreateBot', {}],
      ['ScheduleBot', { join_at: '2031-05-04T09:00:00Z' }],
    ] as const) {
      expect(check(component(name), { ...smallest, ...more, ...fields }).value).toMatchObject({
        timeout_config: timeouts,
      });
    }
  });

  test('has the same fields now, later and when it is changed', () => {
    const fieldsOf = (name: string) => {
      const properties = schemas[name]?.['properties'] as Record<string, Json>;
      return Object.entries(properties).map(([field, { default: _default, ...schema }]) => [field, schema] as const);
    };
    const laterFields = fieldsOf('ScheduleBot').filter(([field]) => field !== 'join_at');
    expect(laterFields).toEqual(fieldsOf('CreateBot'));
    expect(fieldsOf('UpdateScheduledBot')).toEqual(fieldsOf('ScheduleBot'));
    expect(schemas['ScheduleBot']?.['dependentSchemas']).toEqual(schemas['CreateBot']?.['dependentSchemas']);
  });
});

describe('a stored Zoom credential', () => {
  const app = { name: 'App', client_id: 'id', client_secret: 'secret' };
  const [code, address] = [{ authorization_code: 'code' }, { redirect_uri: 'https://a.example/back' }];

  test.each([
    ['CreateZoomCredential', { ...app, ...code }, '/redirect_uri must be string'],
    ['CreateZoomCredential', { ...app, ...address }, '/authorization_code must be string'],
    ['UpdateZoomCredential', code, 'redirect_uri'],
    ['UpdateZoomCredential', address, 'authorization_code'],
    ['UpdateZoomCredential', { client_id: 'id' }, 'client_secret'],
  ])('is not made by %s from half of a pair: %j', (schema, body, problem) => {
    expect(check(component(schema), body).problems.join('\n')).toContain(problem);
  });

  test.each([
    ['CreateZoomCredential', { ...app, ...code, ...address }],
    ['CreateZoomCredential', { ...app, authorization_code: null, redirect_uri: null }],
    ['UpdateZoomCredential', { ...code, ...address }],
    ['UpdateZoomCredential', { client_secret: 'new' }],
    ['UpdateZoomCredential', { client_id: 'id', client_secret: 'new' }],
  ])('is made by %s from %j', (schema, body) => {
    expect(check(component(schema), body).problems).toEqual([]);
  });
});

describe('a change of a scheduled bot', () => {
  test('fills in nothing that was not given', () => {
    expect(check(component('UpdateScheduledBot'), { entry_message: null })).toEqual({
      value: { entry_message: null },
      problems: [],
    });
  });

  test('replaces an object as a whole, its defaults included', () => {
    expect(check(component('UpdateScheduledBot'), { timeout_config: { grace_period: 60 } }).value).toMatchObject({
      timeout_config: { ...allTimeouts, grace_period: 60 },
    });
  });

  test('must change something', () => {
    expect(check(component('UpdateScheduledBot'), {}).problems).toHaveLength(1);
  });
});

describe('a batch', () => {
  const batches = publicOperations().filter((operation) => operation.itemSchema !== null);

  test('names a schema for its items, which are judged one by one', () => {
    expect(batches.map(({ id, itemSchema }) => [id, itemSchema])).toEqual([
      ['createBots', 'CreateBot'],
      ['scheduleBots', 'ScheduleBot'],
    ]);
    for (const { itemSchema } of batches) expect(schemas).toHaveProperty(String(itemSchema));
  });

  test.each(['CreateBots', 'ScheduleBots'])('%s is a list of 1 to 100 of whatever', (name) => {
    expect(check(component(name), [smallest, { bot_name: 7 }, null, 'x']).problems).toEqual([]);
    expect(check(component(name), Array(100).fill(1)).problems).toEqual([]);
    for (const wrong of [[], Array(101).fill(smallest), smallest, null]) {
      expect(check(component(name), wrong).problems).toHaveLength(1);
    }
  });

  test('may be larger than other requests', () => {
    for (const { bodyLimitBytes } of batches) expect(bodyLimitBytes).toBe(5 * 1024 * 1024);
  });
});

describe('the storage of a team', () => {
  const fields = [
    ['region', 64],
    ['artifacts_bucket', 255],
    ['audio_chunks_bucket', 255],
    ['logs_bucket', 255],
    ['ingest_access_key_id', 256],
    ['ingest_secret_access_key', 512],
    ['service_access_key_id', 256],
    ['service_secret_access_key', 512],
  ] as const;
  const whole = { endpoint: 'https://s3.example.com', ...Object.fromEntries(fields.map(([name]) => [name, 'x'])) };

  test.each(fields)('requires %s with 1 to %i characters', (field, most) => {
    const problemsOf = (value: unknown) =>
      check(component('PutStorageConfig'), { ...whole, [field]: value }).problems.filter((one) => one.includes(field));
    expect(problemsOf('x'.repeat(most))).toEqual([]);
    for (const value of ['', 'x'.repeat(most + 1), 7]) expect(problemsOf(value)).toHaveLength(1);
    const { [field]: _left, ...others } = whole as Record<string, string>;
    expect(check(component('PutStorageConfig'), others).problems).toHaveLength(1);
  });
});

describe('the platforms', () => {
  test('are those of the descriptors', () => {
    expect(schemas['MeetingPlatform']?.['enum']).toEqual(platformNames);
    expect(schemas['PreferredPlatform']?.['enum']).toEqual([...platformNames, null]);
  });
});

describe('the webhooks', () => {
  test('are described for every event an endpoint can request, and for the test', () => {
    const { enum: events } = schemas['WebhookEventType'] as { enum: string[] };
    expect(events).toEqual(webhookEventNames);
    expect(Object.keys(document.webhooks)).toEqual([...events, 'webhook.test']);
    expect((schemas['WebhookMessage'] as { properties: { event: Json } }).properties.event['enum']).toEqual(
      Object.keys(document.webhooks),
    );
  });

  test.each(Object.entries(document.webhooks))('%s carries its own name', (event, { post }) => {
    const [name = ''] = bodiesOf(post).map(({ schema }) => (schema as { $ref: string }).$ref.split('/').at(-1) ?? '');
    expect(schemas[name]).toMatchObject({ properties: { event: { const: event } } });
  });
});

interface Body {
  readonly schema: unknown;
  readonly example?: unknown;
  readonly examples?: Record<string, { value: unknown }>;
}

interface Described {
  readonly requestBody?: { readonly content: Record<string, Body> };
  readonly responses?: Record<string, { readonly content?: Record<string, Body> }>;
}

function bodiesOf(operation: unknown): Body[] {
  return Object.values((operation as Described).requestBody?.content ?? {});
}

/** The bodies of the responses too, except those that many operations share. */
function everyBodyOf(operation: unknown): Body[] {
  const responses = Object.values((operation as Described).responses ?? {});
  return [...bodiesOf(operation), ...responses.flatMap(({ content = {} }) => Object.values(content))];
}

describe('every example', () => {
  const places = [...Object.entries(document.paths), ...Object.entries(document.webhooks)].flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      everyBodyOf(operation).flatMap(({ schema, example, examples = {} }) =>
        [example, ...Object.values(examples).map(({ value }) => value)]
          .filter((value) => value !== undefined)
          .map((value) => ({ place: `${method} ${path}`, schema: schema as Json, value })),
      ),
    ),
  );

  test('is there to be checked', () => expect(places.length).toBeGreaterThan(8));

  test.each(places)('fits its schema at $place', ({ schema, value }) => {
    expect(checkWith(schema, value).problems).toEqual([]);
  });
});
