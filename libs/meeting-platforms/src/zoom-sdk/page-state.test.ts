import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { builtInPagePack } from '../page-packs/index.ts';
import { createZoomClient } from '../zoom/zoom-platform.ts';
import {
  zoomSdkPageReader,
  authorizedUserAbsent,
  notStarted,
  passing,
  readLeaveReason,
  readSdkCode,
} from './page-state.ts';
import type { ZoomSdkSnapshot } from './page-state.ts';
import { refusalIn } from './recording-right.page.ts';
import { fileOf, sdkVersion } from './zoom-sdk-platform.ts';
import type { SdkStatus } from './zoom-sdk.page.ts';

const pack = builtInPagePack('zoom');
const readZoomSdkPage = zoomSdkPageReader(pack);
const { emptySnapshot } = createZoomClient(pack, 0);
const status: SdkStatus = {
  stage: 'joining',
  code: null,
  leaveReason: null,
  right: 'unasked',
  brought: { obf: true, zak: false },
};
const page = (sdk: Partial<SdkStatus> | null, shown: Partial<ZoomSdkSnapshot> = {}): ZoomSdkSnapshot => ({
  ...emptySnapshot('zoom-sdk.rapporteur.invalid'),
  path: '/meeting',
  ...shown,
  sdk: sdk && { ...status, ...sdk },
});
const read = (...given: Parameters<typeof page>) => readZoomSdkPage(page(...given)).state;

describe("the SDK's page", () => {
  test.each<[Partial<SdkStatus>, string]>([
    [{ stage: 'loading' }, 'loading'],
    [{ stage: 'ready' }, 'pre-join'],
    [{ stage: 'joining' }, 'loading'],
    [{ stage: 'waiting-for-authorized-user' }, 'waiting-for-authorized-user'],
    [{ stage: 'waiting-for-host' }, 'waiting-for-host'],
    [{ stage: 'waiting-room' }, 'lobby'],
    [{ stage: 'in-meeting' }, 'in-call'],
    [{ stage: 'disconnected' }, 'loading'],
    [{ stage: 'no-sdk' }, 'unusable'],
    [{ stage: 'no-obf-token' }, 'obf-token-refused'],
    [{ stage: 'no-zak-token' }, 'access-token-refused'],
    [{ stage: 'failed', code: 3712 }, 'sdk-auth-failed'],
    [{ stage: 'over', leaveReason: 6 }, 'removed'],
    [{ stage: 'over', leaveReason: 2 }, 'left'],
    [{ stage: 'over' }, 'left'],
    [{ stage: 'in-meeting', right: 'asked' }, 'in-call'],
    [{ stage: 'in-meeting', right: 'recording' }, 'in-call'],
    [{ stage: 'in-meeting', right: 'denied' }, 'recording-right-refused'],
    [{ stage: 'in-meeting', right: 'withdrawn' }, 'recording-right-refused'],
    [{ stage: 'in-meeting', right: 'not-requestable' }, 'recording-right-unavailable'],
    [{ stage: 'in-meeting', right: 'host-cannot' }, 'recording-right-not-shown'],
    [{ stage: 'in-meeting', right: 'not-started' }, 'recording-not-started'],
  ])('in state %j is read as %s', (sdk, state) => {
    expect(read(sdk)).toBe(state);
  });

  test('before its script runs is not read at all', () => {
    expect(read(null)).toBe('loading');
  });

  test('shows why a visit ended where the SDK only says that it is out', () => {
    expect(read({ stage: 'in-meeting' }, { notices: ['You have been removed'] })).toBe('removed');
    expect(read({ stage: 'over', leaveReason: 2 }, { notices: ['This meeting has been ended by host'] })).toBe(
      'ended-by-host',
    );
    const wall = "Automated bots aren't allowed to join this meeting";
    expect(read({ stage: 'joining' }, { text: wall })).toBe('blocked');
  });

  test('that shows the client is in the call only once the SDK says so', () => {
    expect(read({ stage: 'joining' }, { footer: true })).toBe('loading');
    expect(read({ stage: 'in-meeting' }, { leaveControl: true })).toBe('in-call');
  });
});

test.each([
  ['host deny all request', 'denied'],
  ['not support grant local record permissin', 'host-cannot'],
  ['not enable local record', 'not-requestable'],
  ['disable send request for local recording permission', 'not-requestable'],
  ['Hosts can not give participants permission', 'not-requestable'],
])('a request to record that is refused with "%s" is %s', (words, right) => {
  expect(refusalIn(words)).toBe(right);
});

describe("what is served under the page's own origin", () => {
  test.each([
    ['/sdk/zoom-meeting.js', 'dist/zoom-meeting-6.2.0.min.js'],
    ['/sdk/lib/vendor/react.min.js', 'dist/lib/vendor/react.min.js'],
    ['/sdk/lib/av/audio.simd.wasm', 'dist/lib/av/audio.simd.wasm'],
    ['/sdk/lib/ui/zoom-meetingsdk.css', 'dist/ui/zoom-meetingsdk.css'],
    ['/sdk/lib/webim.min.js', 'dist/lib/webim.min.js'],
  ])('%s is %s of the package', (path, file) => {
    expect(fileOf(path)).toBe(file);
  });

  test.each(['/sdk/package.json', '/sdk/lib/../package.json', '/sdk/lib/.hidden', '/sdk/lib//x', '/etc/passwd'])(
    '%s is nothing',
    (path) => {
      expect(fileOf(path)).toBeNull();
    },
  );
});

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
