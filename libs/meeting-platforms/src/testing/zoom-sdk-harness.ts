import { createHmac } from 'node:crypto';
import type { MeetingPlatform } from '../platform.ts';
import { createZoomSdkPlatform } from '../zoom-sdk/zoom-sdk-platform.ts';
import type { SdkTokens } from '../zoom-sdk/zoom-sdk-platform.ts';
import { startSimulatorHarness } from './simulator-harness.ts';
import type { RunningHarness } from './simulator-harness.ts';
import { joinUrlOf } from './zoom-harness.ts';

/** The app and the tokens that the simulator's rooms accept by default. */
const app = { key: 'simulated-sdk-key', secret: 'simulated-sdk-secret' };
const none: SdkTokens = { obf: null, zak: null };
const obf: SdkTokens = { obf: 'simulated-obf-token', zak: null };
const lifetimeSeconds = 7_200;

const brought: Readonly<Record<string, { tokens: SdkTokens | { missing: 'obf' | 'zak' }; expired?: boolean }>> = {
  'an OBF token': { tokens: obf },
  'a ZAK': { tokens: { obf: null, zak: 'simulated-zak-token' } },
  nothing: { tokens: none },
  'an OBF token that could not be had': { tokens: { missing: 'obf' } },
  'an expired signature': { tokens: obf, expired: true },
};

function bringing(what: string): MeetingPlatform {
  const { tokens, expired = false } = brought[what] ?? { tokens: obf };
  return createZoomSdkPlatform({
    signature: (meetingNumber) => sign(meetingNumber, expired ? -2 * lifetimeSeconds : 0),
    tokens: async () => tokens,
    source: 'simulator',
    recordingResponseMs: 3_000,
    // Sooner than in production, to keep tests short.
    waits: { authorizedUserMs: 1_000, hostMs: 1_000, passingMs: 800, recordingStartMs: 2_000 },
  });
}

function sign(meetingNumber: string, fromNowSeconds: number): string {
  const iat = Math.floor(Date.now() / 1_000) - 30 + fromNowSeconds;
  const exp = iat + lifetimeSeconds;
  const claims = { appKey: app.key, sdkKey: app.key, mn: Number(meetingNumber), role: 0, iat, exp, tokenExp: exp };
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...parts, createHmac('sha256', app.secret).update(parts.join('.')).digest('base64url')].join('.');
}

export async function startZoomSdkHarness(): Promise<RunningHarness> {
  return await startSimulatorHarness({
    create: () => bringing('an OBF token'),
    bringing,
    unknownMeetingUrl: 'https://app.zoom.us/wc/23456789012/join?pwd=none',
    joinUrlOf,
    bestSource: 'levels',
  });
}
