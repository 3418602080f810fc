import { describe, expect, test } from '@jest/globals';
import { gunzipSync, gzipSync } from 'node:zlib';
import { packedState, readSpeechState } from './speech-frames.page.ts';

const field = (number: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([number * 8 + 2, content.length]), content]);
const flag = (number: number): Buffer => Buffer.from([number * 8, 1]);
const participant = (deviceId: string, speaking: boolean): Buffer =>
  Buffer.concat([
    field(4, Buffer.from(deviceId)),
    Buffer.from([8 * 8, 77]),
    field(9, speaking ? Buffer.concat([flag(1), flag(2)]) : flag(1)),
  ]);
const participants = Buffer.concat([
  field(2, participant('devices/1', true)),
  field(2, participant('devices/2', false)),
]);

describe('the channel dcrpc', () => {
  test.each([0, 1, 2])('says who speaks, however deep the list lies: %i wrappers', (wrappers) => {
    let state: Buffer = participants;
    for (let wrapper = 0; wrapper < wrappers; wrapper += 1) state = field(2, state);
    const packed = packedState(field(2, gzipSync(state)));
    expect(readSpeechState(gunzipSync(packed!))).toEqual([
      { deviceId: 'devices/1', speaking: true },
      { deviceId: 'devices/2', speaking: false },
    ]);
  });

  test('a keep-alive, and a field that is not packed, hold nothing', () => {
    expect(packedState(flag(1))).toBeNull();
    expect(packedState(field(2, Buffer.from('plain')))).toBeNull();
  });

  test('a list without end is not followed', () => {
    let state: Buffer = participants;
    for (let wrapper = 0; wrapper < 12; wrapper += 1) state = field(2, state);
    expect(readSpeechState(state)).toEqual([]);
  });
});
