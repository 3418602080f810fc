import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { authorizedUserAbsent, notStarted, passing, readLeaveReason, readSdkCode } from './sdk-codes.ts';
import { sdkVersion } from './zoom-sdk-platform.ts';

const none = { obf: false, zak: false };
const packageFolder = dirname(createRequire(import.meta.url).resolve('@zoom/meetingsdk/package.json'));

describe('an error code of the SDK', () => {
  test.each([
    [3004, 'passcode-wrong'],
    [3100, 'login-required'],
    [3610, 'not-found'],
    [3623, 'access-token-refused'],
    [3704, 'sdk-auth-failed'],
    [3705, 'sdk-auth-failed'],
    [3712, 'sdk-auth-failed'],
    [4004, 'ended-by-host'],
    [4006, 'blocked'],
    [4011, 'external-meeting-forbidden'],
    [4014, 'obf-token-refused'],
    [4015, 'obf-token-refused'],
    [4019, 'authorized-user-left'],
    [1, 'unusable'],
    [987_654, 'unusable'],
  ])('%i means %s, and the rule keeps the number', (code, state) => {
    expect(readSdkCode(code, none)).toEqual({ state, rule: `sdk-error-${code}` });
  });

  test.each([
    [{ obf: true, zak: false }, 'obf-token-refused'],
    [{ obf: false, zak: true }, 'access-token-refused'],
    [none, 'external-meeting-forbidden'],
  ])('with an authorisation failure names the credential that was sent: %j', (brought, state) => {
    expect(readSdkCode(4012, brought).state).toBe(state);
    expect(readSdkCode(4018, brought).state).toBe(state);
  });

  test('that may pass is not among those that settle a join', () => {
    for (const code of [...passing, authorizedUserAbsent, notStarted]) {
      expect(readSdkCode(code, none).state).toBe('unusable');
    }
  });

  test('of the pinned build is one that it still gives', () => {
    const text = readFileSync(join(packageFolder, `dist/zoom-meeting-${sdkVersion}.min.js`), 'utf8');
    const given = {
      'apac.errorcodes_pac_invalid_signature': 3712,
      'apac.errorcodes_pac_signature_expired': 3705,
      'apac.errorcodes_not_start': notStarted,
      'apac.errorcodes_zak': 3623,
      'apac.errorcodes_not_allow_cross_join': 4011,
      'apac.errorcodes_obf_invalid': 4014,
      'apac.errorcodes_obf_meeting_number_mismatch': 4015,
      'apac.errorcodes_authorized_user_not_in_meeting': authorizedUserAbsent,
      'apac.errorcodes_authorized_user_leave_meeting': 4019,
    };
    for (const [name, code] of Object.entries(given)) expect(text).toContain(`"${name}":${code}`);
  });
});

test.each([
  [1, 'ended-by-host'],
  [6, 'removed'],
  [7, 'denied'],
  [2, 'left'],
])('reason %i of leaving means %s', (reason, state) => {
  expect(readLeaveReason(reason)).toEqual({ state, rule: `sdk-leave-reason-${reason}` });
  expect(readLeaveReason(0)).toBeNull();
});
