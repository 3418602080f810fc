/** A body as bytes, below or beside JSON. */
export interface RawBody {
  readonly bytes: Buffer;
  readonly type: string;
  readonly reason: string;
  /** False where its content is unusual but may be accepted. */
  readonly mustBeRefused: boolean;
}

const json = 'application/json';

/** The body of a request, malformed below the schema. `limitBytes` is the operation's own limit. */
export function rawBodiesOf(value: unknown, limitBytes: number): RawBody[] {
  const text = JSON.stringify(value ?? {});
  const refused = (reason: string, bytes: Buffer | string, type = json): RawBody => ({
    bytes: Buffer.from(bytes as string),
    type,
    reason,
    mustBeRefused: true,
  });
  const open = text.startsWith('{') ? text.slice(0, -1) : null;
  return [
    refused('broken JSON', text.slice(0, -1)),
    refused('two JSON texts', `${text}${text}`),
    refused('JSON with a comment', `/* x */ ${text}`),
    refused('single quotes', `{'bot_name': 'x'}`),
    refused('a trailing comma', open === null ? '[1,]' : `${open},,}`),
    refused('NaN', open === null ? 'NaN' : `${open},"x":NaN}`),
    refused('a lone minus', '-'),
    refused('a byte order mark and nothing', '\ufeff'),
    refused('plain text', text, 'text/plain'),
    refused('a form', 'bot_name=x&meeting_url=y', 'application/x-www-form-urlencoded'),
    refused('XML', '<bot/>', 'application/xml'),
    refused('no type at all', text, ''),
    refused('an odd type', text, 'application/json/x'),
    refused(
      'bad UTF-8',
      Buffer.concat([Buffer.from('{"extra":{"x":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}}')]),
    ),
    refused(
      'overlong UTF-8',
      Buffer.concat([Buffer.from('{"bot_name":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
    ),
    refused('UTF-16', Buffer.from(text, 'utf16le')),
    refused('over the size limit', `{"extra":{"x":"${'x'.repeat(limitBytes)}"}}`),
    refused('deep lists', `{"extra":{"x":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`),
    refused('deep objects', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
    refused('deep and never closed', '['.repeat(100_000)),
    ...(open === null ? [] : spoiledMembers(open).map(([reason, spoiled]) => refused(reason, spoiled))),
    ...(open === null ? [] : [{ ...refused('a member twice', doubled(text)), mustBeRefused: false }]),
    { ...refused('spaces around', ` \n\t${text}\r\n `), mustBeRefused: false },
  ];
}

/** Members that cannot be stored unchanged; in `extra`, where every member is allowed, no schema refuses them. */
function spoiledMembers(open: string): [string, string][] {
  const start = open === '{' ? '{' : `${open},`;
  return [
    ['a NUL character', `${start}"extra":{"x":"a\\u0000b"}}`],
    ['half of a character', `${start}"extra":{"x":"\\ud800"}}`],
    ['a member called __proto__', `${start}"extra":{"__proto__":{"admin":true}}}`],
    ['a number beyond JSON', `${start}"extra":{"x":1e999}}`],
    ['a number of a thousand digits', `${start}"extra":{"x":${'9'.repeat(1_000)}}}`],
  ];
}

function doubled(text: string): string {
  const member = /"([^"\\]+)":/.exec(text)?.[1] ?? 'x';
  return `{"${member}":null,${text.slice(1)}`;
}

/** Query strings malformed below the schema; all are refused or harmless, none may cause a 5xx. */
export const rawQueries: readonly string[] = [
  '?limit=%',
  '?limit=%zz',
  '?bot_name=%c3%28',
  '?bot_name=%00',
  '?cursor=%ed%a0%80',
  '?limit=1&limit=2',
  '?limit[]=1',
  '?limit[$gt]=1',
  '?=&&==&',
  '?limit=1e1',
  '?limit=0x10',
  '?limit=99999999999999999999',
  '?limit=-0',
  '?limit=%20%201',
  '?bot_name=%F0%9F%8E%A5',
  '?meeting_url=%25%5F%5C',
  '?extra=a:b:c',
  '?extra=%3A',
  '?created_after=2026-01-01',
  '?created_after=2026-01-01T00:00:00',
  '?created_after=0',
  '?status=completed,,failed',
  '?cursor=AAAA',
  '?cursor=bnVsbA%3D%3D',
  `?bot_name=${'x'.repeat(3_000)}`,
  `?${'a=1&'.repeat(300)}`,
  '?__proto__=1&constructor=2',
];
