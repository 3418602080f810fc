import { inflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { encodeCollectionEvent, encodeSpaceSync } from './collections.ts';

type Fields = Map<number, (number | Buffer)[]>;

/** An independent protobuf reader: field number -> values in order. */
function decode(bytes: Buffer): Fields {
  const fields: Fields = new Map();
  let offset = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[offset] ?? 0;
      offset += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  while (offset < bytes.length) {
    const tag = varint();
    const length = varint();
    const isNumber = (tag & 7) === 0;
    const list = fields.get(tag >>> 3) ?? [];
    list.push(isNumber ? length : bytes.subarray(offset, offset + length));
    if (!isNumber) offset += length;
    fields.set(tag >>> 3, list);
  }
  return fields;
}

/** Follows message fields down; a number in the path is a field, taken at its first occurrence. */
function inside(bytes: Buffer, ...path: number[]): Buffer {
  return path.reduce((current, field) => decode(current).get(field)?.[0] as Buffer, bytes);
}

const user = {
  deviceId: 'spaces/x/devices/1',
  fullName: 'Ann Åberg',
  status: 'inCall',
  isSelf: false,
  isHost: true,
} as const;

describe('a collections message', () => {
  test('is zlib-deflated and holds users at 1, 2, 13, 1, 2', () => {
    const payload = inflateSync(encodeCollectionEvent({ users: [user, { ...user, status: 'removed', isSelf: true }] }));
    const users = decode(inside(payload, 1, 2, 13, 1)).get(2) as Buffer[];
    const [first, second] = users.map(decode);
    expect(String(first?.get(1)?.[0])).toBe('spaces/x/devices/1');
    expect(String(first?.get(2)?.[0])).toBe('Ann Åberg');
    expect([first?.get(4), first?.has(7), first?.get(34)]).toEqual([[1], false, [1]]);
    expect([second?.get(4), second?.has(7)]).toEqual([[7], true]);
  });

  test('holds device outputs at 1, 2, 3, 2 with kind, stream, device and disabled flag', () => {
    const outputs = [
      { kind: 'audio', streamId: '4242', deviceId: 'd', disabled: false },
      { kind: 'video', streamId: '4243', deviceId: 'd', disabled: true },
    ] as const;
    const payload = inflateSync(encodeCollectionEvent({ outputs }));
    const records = (decode(inside(payload, 1, 2, 3)).get(2) as Buffer[]).map(decode);
    expect(records.map((record) => [record.get(2)?.[0], String(record.get(4)?.[0])])).toEqual([
      [1, '4242'],
      [2, '4243'],
    ]);
    expect(records.map((record) => decode(record.get(10)?.[0] as Buffer).has(1))).toEqual([false, true]);
  });

  test('holds chat at 1, 2, 13, 4, 2 with microseconds', () => {
    const chat = [{ messageId: 'm1', deviceId: 'd', sentAtMs: 1_795_236_658_421, text: 'hello' }];
    const message = decode(inside(inflateSync(encodeCollectionEvent({ chat })), 1, 2, 13, 4, 2));
    expect(message.get(3)).toEqual([1_795_236_658_421_000]);
    expect(String(inside(message.get(5)?.[0] as Buffer, 1))).toBe('hello');
  });
});

describe('the response of SyncMeetingSpaceCollections', () => {
  test('is base64 with the users at 2, 2, 2', () => {
    const bytes = Buffer.from(encodeSpaceSync([user]), 'base64');
    expect(String(decode(inside(bytes, 2, 2, 2)).get(2)?.[0])).toBe('Ann Åberg');
  });
});
