import { describe, expect, test } from '@jest/globals';
import { SignallingReader } from './signalling.page.ts';

const wrapped = (evt: number, body: object) => ({ type: 'message', data: JSON.stringify({ evt, body, seq: 3 }) });
const base64 = (name: string) => Buffer.from(name).toString('base64');
const read = (data: unknown) => new SignallingReader().read(data);

describe('messages of the worker', () => {
  test('say who is there, who came and who left', () => {
    const add = [{ id: 16_778_240, dn2: base64('Zoë Ångström'), bHost: true, bBotUser: false }];
    expect(read(wrapped(7937, { add }))).toEqual({
      kind: 'roster',
      present: [{ id: '16778240', name: 'Zoë Ångström', isHost: true }],
      gone: [],
    });
    expect(read(wrapped(7937, { remove: [{ id: 16_778_240 }] }))).toEqual({
      kind: 'roster',
      present: [],
      gone: ['16778240'],
    });
  });

  test("name the bot's own id in the response to its join", () => {
    const body = { res: 0, userID: 16_778_241, zoomID: 'u', participantIDStr: '7' };
    expect(read(wrapped(4098, body))).toEqual({ kind: 'self', id: '16778240' });
    expect(read(wrapped(4098, { res: 3_000, zoomID: 'u' }))).toBeNull();
    expect(read(wrapped(9, { userID: 16_778_241 }))).toBeNull();
  });

  test('a change need not say the name again', () => {
    expect(read(wrapped(7937, { update: [{ id: 16_778_240, muted: true }] }))).toMatchObject({
      present: [{ id: '16778240', name: null, isHost: null }],
    });
  });

  test('name the active speakers, loudest first, and none in silence', () => {
    const reader = new SignallingReader();
    expect(reader.read(wrapped(12_033, { asn2: 16_779_264, asn1: 16_778_240 }))).toEqual({
      kind: 'active',
      ids: ['16778240', '16779264'],
    });
    expect(reader.read(wrapped(12_033, {}))).toEqual({ kind: 'active', ids: [] });
  });

  test('are known by their fields: another build, other numbers', () => {
    const reader = new SignallingReader();
    expect(reader.read(wrapped(99, { asn1: 16_778_240 }))).toMatchObject({ kind: 'active' });
    expect(reader.read(wrapped(99, {}))).toEqual({ kind: 'active', ids: [] });
    expect(reader.read(wrapped(12_033, {}))).toBeNull();
    expect(reader.read(wrapped(98, { nUserID: 16_778_241, nLevel: 7 }))).toEqual({
      kind: 'level',
      id: '16778240',
      level: 7,
    });
  });

  test.each([
    ['the envelope without a type', { data: JSON.stringify({ evt: 8005, body: { nUserID: 1024, nLevel: 1 } }) }],
    ['the text alone', JSON.stringify({ evt: 8005, body: { nUserID: 1024, nLevel: 1 } })],
    ['the message itself', { evt: 8005, body: { nUserID: 1024, nLevel: 1 } }],
  ])('come as %s, too', (_what, data) => {
    expect(read(data)).toEqual({ kind: 'level', id: '1024', level: 1 });
  });

  test.each([
    ['media', { type: 'media', data: new ArrayBuffer(8) }],
    ['broken text', { type: 'message', data: '{"evt":7937,' }],
    ['another message', wrapped(4098, { res: 0 })],
    ['an empty body of another message', wrapped(4100, {})],
    ['people without ids', wrapped(7937, { add: [{ dn2: base64('Ann') }, null, 5] })],
    ['a level without a user', wrapped(8005, { nUserID: 'x', nLevel: 3 })],
    ['nothing', null],
  ])('%s says nothing', (_what, data) => {
    expect(read(data)).toBeNull();
  });

  test('with the first list of a large meeting are read', () => {
    const add = Array.from({ length: 900 }, (_, at) => ({
      id: (at + 1) * 1_024,
      dn2: base64('Ann'),
      avatar: 'x'.repeat(600),
    }));
    expect(read(wrapped(7937, { add }))).toMatchObject({ kind: 'roster', present: { length: 900 } });
  });

  test('a name that is no text is no name', () => {
    expect(read(wrapped(7937, { add: [{ id: 1024, dn2: '/////w==' }] }))).toMatchObject({ present: [{ name: null }] });
  });
});
