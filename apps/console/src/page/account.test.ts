import { describe, expect, test } from '@jest/globals';
import { bytesOf } from './elements/time.tsx';
import { keyState } from './keys/keys.tsx';
import { bodyOf } from './elements/form.tsx';
import { storageFields } from './storage/storage.tsx';
import { byReason, daysOf, lastDays, periodOf, queryOf } from './usage/usage.tsx';

describe('the days of usage', () => {
  const now = Date.parse('2026-11-23T23:30:00Z');

  test('are the last 31 unless the address names others', () => {
    expect(periodOf(new URLSearchParams(), now)).toEqual({ from: '2026-10-24', to: '2026-11-23' });
    expect(periodOf(new URLSearchParams('from=2026-11-01&to=2026-11-02'), now)).toEqual({
      from: '2026-11-01',
      to: '2026-11-02',
    });
    expect(periodOf(new URLSearchParams('to=2026-99-99&from=x'), now)).toEqual({
      from: '2026-10-24',
      to: '2026-11-23',
    });
  });

  test('include the last day', () => {
    expect(queryOf({ from: '2026-11-01', to: '2026-11-30' })).toEqual({
      ended_after: '2026-11-01T00:00:00.000Z',
      ended_before: '2026-12-01T00:00:00.000Z',
    });
  });
});

test('failed bots are grouped by reason, the most frequent first, without those that ended later', () => {
  const failed = (error_code: string | null, ended_at: string | null) => ({ error_code, ended_at });
  const bots = [
    failed('BOT_NOT_ACCEPTED', '2026-12-01T00:00:00Z'),
    failed('INTERNAL_ERROR', '2026-11-30T23:00:00Z'),
    failed('BOT_NOT_ACCEPTED', '2026-11-30T22:00:00Z'),
    failed(null, '2026-11-30T21:30:00Z'),
    failed('BOT_NOT_ACCEPTED', '2026-11-30T21:00:00Z'),
    failed('BOT_NOT_ACCEPTED', null),
  ] as unknown as Parameters<typeof byReason>[0];
  const groups = byReason(bots, Date.parse('2026-12-01T00:00:00Z'));
  expect(groups).toEqual([
    ['BOT_NOT_ACCEPTED', [bots[2], bots[4]]],
    ['INTERNAL_ERROR', [bots[1]]],
    ['UNKNOWN', [bots[3]]],
  ]);
});

describe('a form', () => {
  const filled = (values: Readonly<Record<string, string>>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(values)) form.set(name, value);
    return form;
  };

  test('for storage becomes a request with every text and both choices', () => {
    const request = bodyOf(storageFields, filled({ region: ' eu-1 ', force_path_style: 'on' }));
    expect(request).toMatchObject({ region: 'eu-1', force_path_style: true, allow_transient_spill: false });
    expect(Object.keys(request)).toHaveLength(14);
  });

  test('for storage keeps the encryption and the folder, and states what is empty', () => {
    const chosen = { server_side_encryption: 'aws:kms', kms_key_id: 'key-1', key_prefix: 'a/' };
    expect(bodyOf(storageFields, filled(chosen))).toMatchObject(chosen);
    expect(bodyOf(storageFields, filled({}))).toMatchObject({
      server_side_encryption: null,
      kms_key_id: null,
      key_prefix: '',
    });
  });

  test('reads days and times in the time zone of the browser, numbers as numbers, and leaves out what may be absent', () => {
    const fields = [
      { name: 'day', label: '', type: 'date' },
      { name: 'time', label: '', type: 'datetime-local' },
      { name: 'days', label: '', type: 'number' },
      { name: 'group', label: '', empty: 'absent' },
    ] as const;
    const values = { day: '2026-11-23', time: '2026-11-23T10:30', days: '7', group: ' ' };
    expect(bodyOf(fields, filled(values))).toEqual({
      day: new Date('2026-11-23T00:00:00').toISOString(),
      time: new Date('2026-11-23T10:30').toISOString(),
      days: 7,
    });
  });
});

describe('an API key', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');

  test.each([
    ['active', { revoked_at: null, expires_at: null }],
    ['active', { revoked_at: null, expires_at: '2026-11-23T12:00:01Z' }],
    ['expired', { revoked_at: null, expires_at: '2026-11-23T12:00:00Z' }],
    ['revoked', { revoked_at: '2026-11-23T11:00:00Z', expires_at: '2020-01-01T00:00:00Z' }],
  ])('is %s: %j', (state, key) => {
    expect(keyState(key, now)).toBe(state);
  });
});

test('bytes are in the unit in which people read them', () => {
  expect([0, 999, 1_500, 12_345_678, 3.2e15].map(bytesOf)).toEqual(['0 B', '999 B', '1.5 kB', '12 MB', '3.2 PB']);
});

test('a plot has each day of its period, also those without a bot', () => {
  expect(daysOf({ from: '2026-02-27', to: '2026-03-01' })).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  expect(daysOf({ from: '2026-03-01', to: '2026-03-01' })).toEqual(['2026-03-01']);
  expect(daysOf({ from: '2026-03-02', to: '2026-03-01' })).toEqual(['2026-03-01']);
  expect(daysOf({ from: '2000-01-01', to: '2026-03-01' })).toHaveLength(366);
  expect(lastDays(7, Date.parse('2026-03-01T23:00:00Z'))).toBe('2026-02-23');
});
