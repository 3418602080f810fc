import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { decodeCollections, decodeSpaceSync } from './collections.ts';

type Content = number | string | Buffer;

/** [field, content]...; numbers become varints. */
function message(...fields: readonly (readonly [number, Content])[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([field, content]) => {
      if (typeof content === 'number') return [varint(field * 8), varint(content)];
      const bytes = Buffer.from(content as string);
      return [varint(field * 8 + 2), varint(bytes.length), bytes];
    }),
  );
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

const event = (space: Buffer): Buffer => deflateSync(message([1, message([2, space])]));
const participants = (...users: Buffer[]): Buffer =>
  message([13, message([1, message(...users.map((user) => [2, user] as const))])]);

describe('decodeCollections', () => {
  test('reads people with names, host, presence and which of them is the bot', () => {
    const space = participants(
      message([1, 'devices/1'], [2, 'Alice Full'], [3, 'https://avatars.test/a'], [4, 1], [29, 'Alice'], [34, 1]),
      message([1, 'devices/2'], [2, 'Bruno'], [4, 6]),
      message([1, 'devices/3'], [4, 7], [7, 'devices/3']),
    );
    expect(decodeCollections(event(space)).users).toEqual([
      {
        deviceId: 'devices/1',
        name: 'Alice',
        avatarUrl: 'https://avatars.test/a',
        presence: 'in-call',
        isSelf: false,
        isHost: true,
        parentDeviceId: null,
      },
      {
        deviceId: 'devices/2',
        name: 'Bruno',
        avatarUrl: null,
        presence: 'left',
        isSelf: false,
        isHost: false,
        parentDeviceId: null,
      },
      {
        deviceId: 'devices/3',
        name: null,
        avatarUrl: null,
        presence: 'removed',
        isSelf: true,
        isHost: false,
        parentDeviceId: null,
      },
    ]);
  });

  test('reads whose stream is whose, and skips outputs of a kind it does not know', () => {
    const outputs = message(
      [2, message([2, 1], [4, '4711'], [6, 'devices/1'])],
      [2, message([2, 2], [4, '4712'], [6, 'devices/1'], [10, message([1, 1])])],
      [2, message([2, 9], [4, '4713'], [6, 'devices/1'])],
    );
    expect(decodeCollections(event(message([3, outputs]))).outputs).toEqual([
      { kind: 'audio', streamId: '4711', deviceId: 'devices/1', disabled: false },
      { kind: 'video', streamId: '4712', deviceId: 'devices/1', disabled: true },
    ]);
  });

  test('reads chat with the time in milliseconds', () => {
    const chat = message(
      [1, 'spaces/s/messages/1'],
      [2, 'devices/1'],
      [3, 1_795_237_185_439_534],
      [5, message([1, 'Hello'])],
    );
    const space = message([13, message([4, message([2, chat])])]);
    expect(decodeCollections(event(space)).chat).toEqual([
      { messageId: 'spaces/s/messages/1', deviceId: 'devices/1', sentAtMs: 1_795_237_185_440, text: 'Hello' },
    ]);
  });

  test('skips fields it does not know, and people without an id', () => {
    const space = participants(message([99, 'new'], [1, 'devices/1'], [98, 5]), message([2, 'Unknown']));
    expect(decodeCollections(event(space)).users.map((user) => user.deviceId)).toEqual(['devices/1']);
  });

  test('reads a message that was not deflated', () => {
    const plain = message([1, message([2, participants(message([1, 'devices/1']))])]);
    expect(decodeCollections(plain).users).toHaveLength(1);
  });

  test('refuses what inflates beyond all measure, and what is no protobuf', () => {
    expect(() => decodeCollections(deflateSync(Buffer.alloc(8 * 1024 * 1024)))).toThrow();
    expect(() => decodeCollections(Uint8Array.of(0x0b, 0x0b))).toThrow();
  });
});

describe('decodeSpaceSync', () => {
  test('reads the full list of who is in the call', () => {
    const list = message([2, message([2, message([2, message([1, 'devices/1'], [2, 'Alice'], [4, 1])])])]);
    expect(decodeSpaceSync(list.toString('base64')).map((user) => user.name)).toEqual(['Alice']);
  });
});
