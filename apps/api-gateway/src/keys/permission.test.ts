import { describe, expect, test } from '@jest/globals';
import { publicOperations } from '@rapporteur/contracts/public-api';
import { permits, roleMay } from './permission.ts';

describe('a permission', () => {
  test.each([
    ['full', 'full', true],
    ['full', 'sending', true],
    ['sending', 'sending', true],
    ['sending', 'full', false],
  ] as const)('%s on an operation that needs %s: %s', (held, needed, response) => {
    expect(permits(held, needed)).toBe(response);
  });

  test('Sending Access never reads, changes or deletes anything', () => {
    const open = publicOperations().filter((operation) => permits('sending', operation.permission));
    expect(open.length).toBeGreaterThan(0);
    expect(open.filter((operation) => operation.method !== 'post')).toEqual([]);
  });
});

describe('a role of the console', () => {
  const may = (role: 'viewer' | 'member' | 'admin') =>
    new Set(
      publicOperations()
        .filter(({ method, path }) => roleMay(role, { method: method.toUpperCase(), path }))
        .map(({ id }) => id),
    );
  const all = publicOperations();

  test('viewer reads, and changes nothing', () => {
    const changes = [...may('viewer')].filter((id) => all.find((operation) => operation.id === id)?.method !== 'get');
    expect(changes.toSorted()).toEqual(['dryRunCalendarRule', 'preflightBot']);
    expect(may('viewer').has('listAuditLog')).toBe(false);
  });

  test('member works with bots and calendars, and does not decide who gets in and where data goes', () => {
    const refused = all.filter(({ id }) => !may('member').has(id)).map(({ id }) => id);
    expect(refused).toEqual(
      expect.arrayContaining(['createApiKey', 'putStorageConfig', 'setRetentionSettings', 'rotateWebhookSecret']),
    );
    expect(refused).toEqual(expect.arrayContaining(['createMeetLogin', 'createZoomCredential', 'listAuditLog']));
    expect(refused.filter((id) => /Bot|Calendar/.test(id))).toEqual([]);
  });

  test('admin does everything', () => {
    expect(may('admin').size).toBe(all.length);
  });
});
