import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { HostedRoom } from '../rooms/room-registry.ts';
import { passcodeOf } from '../sites/platforms.ts';
import { sdkErrors, sdkRefusal } from './sdk-entry.ts';
import type { SdkJoin } from './sdk-entry.ts';
import { shownToPages, simulatedApp, zoomOptionsSchema } from './zoom-options.ts';

const code = '23456789012';
const nowMs = Date.UTC(2026, 10, 21);
const nowSeconds = nowMs / 1_000;
const room = () => ({ room: { code, clockZero: nowMs - 5_000 } }) as HostedRoom;

function signature(claims: object = {}, secret: string = simulatedApp.secret): string {
  const exp = nowSeconds + 3_600;
  const all = { appKey: simulatedApp.key, mn: Number(code), role: 0, iat: nowSeconds, exp, tokenExp: exp, ...claims };
  const parts = [{ alg: 'HS256', typ: 'JWT' }, all].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...parts, createHmac('sha256', secret).update(parts.join('.')).digest('base64url')].join('.');
}
const good: SdkJoin = { signature: signature(), meetingNumber: code, passWord: passcodeOf(code) };
const refuse = (given: Partial<SdkJoin> = {}, options: object = {}, hosted: HostedRoom | null = room()) =>
  sdkRefusal(hosted, { ...good, ...given }, zoomOptionsSchema.parse(options), nowMs);

describe('a join by SDK', () => {
  test('with a signature of the app for this meeting and the passcode may request to join', () => {
    expect(refuse()).toBeNull();
  });

  test.each([
    [{ signature: signature({}, 'another') }, 'signatureInvalid'],
    [{ signature: 'no.jwt.at-all' }, 'signatureInvalid'],
    [{ signature: signature({ mn: 1 }) }, 'signatureInvalid'],
    [{ signature: signature({ role: 1 }) }, 'signatureInvalid'],
    [{ signature: signature({ appKey: 'another' }) }, 'unknownApp'],
    [{ signature: signature({ exp: nowSeconds - 1 }) }, 'signatureExpired'],
    [{ signature: signature({ tokenExp: nowSeconds - 1 }) }, 'signatureExpired'],
    [{ passWord: 'wrong' }, 'wrongPasscode'],
    [{ obfToken: 'wrong' }, 'obfRefused'],
    [{ zak: 'wrong' }, 'zakRefused'],
  ] as const)('with %j is refused: %s', (given, error) => {
    expect(refuse(given)).toBe(sdkErrors[error]);
  });

  test.each([
    [{ sdkAccount: 'forbidden' }, { obfToken: 'simulated-obf-token' }, 'externalMeeting'],
    [{ sdkAccount: 'external' }, {}, 'anonymousJoin'],
    [{ sdkAuthorizedUser: 'absent' }, { obfToken: 'simulated-obf-token' }, 'authorizedUserAbsent'],
    [{ hostNotStarted: 'waits' }, {}, 'notStarted'],
    [{ signInWall: true }, {}, 'loginRequired'],
  ] as const)('into %j is refused: %s', (options, given, error) => {
    expect(refuse(given, options)).toBe(sdkErrors[error]);
  });

  test('waits only for whom its token speaks for, and until they come', () => {
    const absent = { sdkAuthorizedUser: 'absent', sdkAuthorizedUserComesAfterMs: 5_000 };
    expect(refuse({ obfToken: 'simulated-obf-token' }, absent)).toBeNull();
    expect(refuse({ zak: 'simulated-zak-token' }, { ...absent, sdkAuthorizedUserComesAfterMs: 0 })).toBeNull();
  });

  test('fails as often as the room states, each room for itself', () => {
    const hosted = room();
    const options = { sdkFailures: 2 };
    expect([1, 2, 3].map(() => refuse({}, options, hosted))).toEqual([sdkErrors.generic, sdkErrors.generic, null]);
    expect(refuse({}, options)).toBe(sdkErrors.generic);
  });

  test('of a number that is no meeting gets an error', () => {
    expect(refuse({}, {}, null)).toBe(sdkErrors.noSuchMeeting);
  });
});

test('a page never receives a secret', () => {
  expect(JSON.stringify(shownToPages(zoomOptionsSchema.parse({})))).not.toMatch(/secret|-token/);
});
