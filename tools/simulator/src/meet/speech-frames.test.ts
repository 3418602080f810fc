import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { captionFrame, keepAliveFrame, meetingDevice, speechFrame } from './speech-frames.ts';

const member = (deviceId: string, audioStreamId: string) => ({
  deviceId,
  name: deviceId,
  participantIndex: 0,
  isHost: false,
  audioStreamId,
  videoStreamId: '1',
});
const participants = [member('devices/1', '77'), member('devices/2', '79')];

describe('a dcrpc frame', () => {
  test.each([0, 1, 2])('holds everybody, under %i wrappers more', (turn) => {
    const frame = speechFrame(participants, new Set(['devices/2']), turn);
    expect(frame[0]).toBe(2 * 8 + 2);
    const packed = frame.subarray(frame.indexOf(Buffer.from([0x1f, 0x8b])));
    const state = gunzipSync(packed);
    const first = state.indexOf(Buffer.from('devices/1'));
    const second = state.indexOf(Buffer.from('devices/2'));
    expect(first).toBeGreaterThan(0);
    // Field 9 with field 1 alone, and also with field 2: only the second participant speaks.
    expect(state.indexOf(Buffer.from([9 * 8 + 2, 2, 8, 1]), first)).toBeLessThan(second);
    expect(state.indexOf(Buffer.from([9 * 8 + 2, 4, 8, 1, 16, 1]), second)).toBeGreaterThan(second);
    // Three bytes lead to the first id (its participant, its list, its own field), two more per wrapper.
    expect(first).toBe(4 + turn * 2);
  });

  test('is a bare number to keep the line alive', () => {
    expect([...keepAliveFrame(5)]).toEqual([8, 5]);
  });
});

test('a caption states whose it is, how often it was rewritten and whether it will be again', () => {
  const caption = {
    deviceId: 'devices/1',
    captionId: 3,
    version: 2,
    final: true,
    text: 'hello there',
    language: 'en-US',
  };
  const frame = captionFrame(caption);
  expect(frame.includes('hello there')).toBe(true);
  expect(frame.includes(Buffer.from([16, 3, 24, 2, 32, 1]))).toBe(true);
});

test('the response to a new device states what the site thinks of it', () => {
  const bytes = Buffer.from(meetingDevice('devices/9', 'yes'), 'base64');
  expect([...bytes.subarray(-3)]).toEqual([0xa0, 0x02, 2]);
  expect(Buffer.from(meetingDevice('devices/9', 'no'), 'base64').includes(Buffer.from([0xa0, 0x02]))).toBe(false);
});
