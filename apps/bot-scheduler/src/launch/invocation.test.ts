import { describe, expect, test } from '@jest/globals';
import { runnerConfiguration } from '@rapporteur/contracts';
import { loadConfig } from '@rapporteur/service-runtime';
import type { BotRow } from '../schema/bot-entity.ts';
import type { LeaseRow } from '../schema/run-entities.ts';
import { createBody } from '../testing/create-body.ts';
import { writeInvocation } from './invocation.ts';
import type { InvocationSettings } from './invocation.ts';
import { noStrategyPinned, recordingConfig } from './recording-settings.ts';

const simulator = {
  hostResolverRules: 'MAP meet.google.com:443 127.0.0.1:8443',
  certificateSpki: 'c3BraQ==',
  linkHosts: ['meet.simulator.localhost:8443'],
};
const settings: InvocationSettings = {
  busUrl: 'nats://127.0.0.1:4222',
  leaseRenewMs: 3_000,
  leaseLostAfterMs: 20_000,
  rejoinsAfterFailure: 1,
  simulator,
  outbound: { allow: ['loopback'], requireHttps: false, caFile: null, proxy: null },
  recording: {
    ...loadConfig(recordingConfig, {}),
    captureStrategy: { ...noStrategyPinned, meet: 'tracks', zoom: 'tab' },
    recordingSize: 'received',
    recordingParticipantAudio: 'off',
  },
};
const bot = {
  id: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11',
  team_id: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b12',
  configuration: runnerConfiguration.parse({ ...createBody(), bot_image: [] }),
  meeting_platform: 'meet',
  meeting_id: 'abc-defg-hij',
  join_url: 'https://meet.google.com/abc-defg-hij',
  simulated: false,
  end_code: 'FORCE_KILLED',
  end_message: 'Killed.',
  recorded: true,
  joined_at: new Date(Date.UTC(2026, 0, 1)),
  exited_at: null,
} as unknown as BotRow;
const lease = { mode: 'attend', attempt: 2, fencing: 2 } as LeaseRow;
const storage = { url: 'http://127.0.0.1:4003', grant: 'grant' };
const write = (over: Partial<BotRow> = {}, mode: LeaseRow['mode'] = 'attend', given: InvocationSettings = settings) =>
  writeInvocation(given, {
    bot: { ...bot, ...over },
    lease: { ...lease, mode },
    storage,
    credentials: null,
    zoom: null,
    recordingSince: null,
    liveTranscription: null,
    pagePack: null,
    otherBotNames: ['Second bot'],
  });

describe('the invocation document', () => {
  test('gives a runner what to attend, and nothing of how an earlier run ended', () => {
    expect(write()).toMatchObject({
      mode: 'attend',
      attempt: 2,
      fencing: 2,
      meeting: { platform: 'meet', joinUrl: 'https://meet.google.com/abc-defg-hij' },
      attendanceEnd: null,
      simulator: null,
      storage,
      outbound: { allow: ['loopback'], requireHttps: false, caFile: null, proxy: null },
      captureStrategy: 'tracks',
      videoSize: 'received',
      participantAudio: 'off',
      lease: { renewEveryMs: 3_000, lostAfterMs: 20_000 },
    });
  });

  test('lets a runner continue through an outage of 15 minutes where no other run would rejoin in its place', () => {
    const given = { ...settings, rejoinsAfterFailure: 0 };
    expect(write({}, 'attend', given).lease).toEqual({ renewEveryMs: 3_000, lostAfterMs: 900_000 });
  });

  test('gives a finalize run how the attendance ended', () => {
    expect(write({}, 'finalize').attendanceEnd).toEqual({
      code: 'FORCE_KILLED',
      message: 'Killed.',
      joinedAt: '2026-01-01T00:00:00.000Z',
      exitedAt: null,
      recorded: true,
    });
  });

  test('leads to the simulator only a bot that was sent there', () => {
    const { linkHosts: _hosts, ...route } = simulator;
    expect(write({ simulated: true }).simulator).toEqual(route);
    expect(write().simulator).toBeNull();
  });

  test('is refused to a simulated bot when there is no simulator, lest it join a real meeting', () => {
    const without = { ...settings, simulator: null };
    expect(() => write({ simulated: true }, 'attend', without)).toThrow('no longer configured');
  });
});
