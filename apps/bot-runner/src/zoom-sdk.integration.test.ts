import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ZoomInvocation } from '@rapporteur/contracts';
import { waitFor } from '@rapporteur/testbed';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { testInvocation } from './testing/run-bot.ts';
import type { RunningBot } from './testing/run-bot.ts';
import { startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { SimulatedMeeting, SimulatedMeetings } from './testing/simulated-meetings.ts';

let meetings: SimulatedMeetings;
let tokens: Receiver;
let tokenUrl = '';
let reply = { status: 200, text: '' };
const requested: URLSearchParams[] = [];

beforeAll(async () => {
  meetings = await startSimulatedMeetings();
  tokens = await startReceiver(({ path }, response) => {
    requested.push(new URL(path, tokenUrl).searchParams);
    response.writeHead(reply.status, { 'content-type': 'text/plain' }).end(reply.text);
  });
  tokenUrl = `${tokens.url}/token`;
}, 60_000);
afterAll(async () => {
  await tokens.close();
  await meetings.stop();
});
afterEach(() => meetings.clear());

function signatureFor(code: string): string {
  const iat = Math.floor(Date.now() / 1_000) - 30;
  const claims = {
    appKey: 'simulated-sdk-key',
    mn: Number(code),
    role: 0,
    iat,
    exp: iat + 7_200,
    tokenExp: iat + 7_200,
  };
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const mark = createHmac('sha256', 'simulated-sdk-secret').update(parts.join('.')).digest('base64url');
  return [...parts, mark].join('.');
}

/** The service's requests to Zoom: a user consents, the code is exchanged, a token is issued for this meeting. */
async function mintAtZoom(meetingId: string): Promise<string> {
  const sendRequest = async (path: string, init: RequestInit): Promise<Record<string, string>> =>
    (await (await fetch(`${meetings.controlUrl}/zoom${path}`, init)).json()) as Record<string, string>;
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  const { code = '', redirectUri = '' } = await sendRequest('/consents', json);
  const app = Buffer.from('simulated-sdk-key:simulated-sdk-secret').toString('base64');
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
  const { access_token: access } = await sendRequest('/oauth/token', {
    method: 'POST',
    headers: { authorization: `Basic ${app}` },
    body,
  });
  const headers = { authorization: `Bearer ${access}` };
  const { token = '' } = await sendRequest(`/v2/users/me/token?type=onbehalf&meeting_id=${meetingId}`, { headers });
  return token;
}

async function sendBot(meeting: SimulatedMeeting, over: Partial<ZoomInvocation> = {}): Promise<RunningBot> {
  const { room, storage } = meeting;
  const joinUrl = `https://app.zoom.us/wc/${room.code}/join${new URL(room.realUrl).search}`;
  const { configuration } = testInvocation({ storage, busUrl: '', joinUrl, simulator: null });
  return await meeting.sendBot({
    botId: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11',
    meeting: { platform: 'zoom', joinUrl, meetingId: room.code },
    configuration,
    zoom: {
      obfToken: null,
      obfTokenUrl: tokenUrl,
      zakTokenUrl: null,
      storedCredential: false,
      extra: { customer: 'c-1' },
      sdk: { key: 'simulated-sdk-key', signature: signatureFor(room.code) },
      ...over,
    },
  });
}

describe('a bot that joins Zoom through the Meeting SDK', () => {
  test('asks for its token, waits for leave to record, and records; no log holds token or signature', async () => {
    reply = { status: 200, text: 'simulated-obf-token\n' };
    const meeting = await meetings.open({ platform: 'zoom', zoom: { sdkAccount: 'external' } });
    const bot = await sendBot(meeting);
    await waitFor(() => meeting.storedMs() >= 6_000, { what: '6 s to be stored' });
    meeting.scheduler.lease.leaveRequested = true;
    expect(await bot.exited).toBe(0);
    expect(meeting.scheduler.find('attendance-ended')?.end).toMatchObject({ code: 'API_REQUEST', recorded: true });
    expect(meeting.storage.objects.has('artifacts/video.mp4')).toBe(true);
    expect(requested.map((query) => Object.fromEntries(query))).toEqual([
      { bot_uuid: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11', extra: '{"customer":"c-1"}' },
    ]);
    expect(JSON.stringify(await bot.log())).not.toMatch(/simulated-obf-token|eyJ/);
  }, 180_000);

  test('whose token cannot be had opens no page and says what to do', async () => {
    reply = { status: 500, text: 'canary' };
    const meeting = await meetings.open({ platform: 'zoom' });
    const bot = await sendBot(meeting);
    expect(await bot.exited).toBe(0);
    const end = meeting.scheduler.find('attendance-ended')?.end;
    expect(end).toMatchObject({ code: 'ALPHA_OBF_TOKEN_ERROR', recorded: false });
    expect(end?.message).toMatch(/obf_token_url: it responded with HTTP status 500/);
    expect((await meeting.log()).some(({ kind }) => kind === 'joinRequested')).toBe(false);
  }, 90_000);

  test('by a stored credential gets its token and signature at the door, and records', async () => {
    const meeting = await meetings.open({ platform: 'zoom', zoom: { sdkAccount: 'external' } });
    const { code } = meeting.room;
    const requests: unknown[] = [];
    meeting.scheduler.credential.response = async (request) => {
      requests.push(request);
      const sdk = { key: 'simulated-sdk-key', signature: signatureFor(code) };
      return { outcome: 'token', sdk, obfToken: await mintAtZoom(code) };
    };
    const bot = await sendBot(meeting, { obfTokenUrl: null, storedCredential: true, sdk: null });
    await waitFor(() => meeting.storedMs() >= 4_000, { what: '4 s to be stored' });
    meeting.scheduler.lease.leaveRequested = true;
    expect(await bot.exited).toBe(0);
    expect(meeting.scheduler.find('attendance-ended')?.end).toMatchObject({ code: 'API_REQUEST', recorded: true });
    expect(requests).toEqual([{ botId: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11', attempt: 1, fencing: 1 }]);
    expect(JSON.stringify(await bot.log())).not.toMatch(/simulated-(code|access|refresh|obf)-[^t]|eyJ/);
  }, 180_000);

  test('by a stored credential that is invalid opens no page, and says what the credential says', async () => {
    const meeting = await meetings.open({ platform: 'zoom', zoom: { sdkAccount: 'external' } });
    meeting.scheduler.credential.response = async () => ({
      outcome: 'refused',
      message: 'The stored Zoom credential is invalid. Zoom refused to renew the authorisation (invalid_grant).',
    });
    const bot = await sendBot(meeting, { obfTokenUrl: null, storedCredential: true, sdk: null });
    expect(await bot.exited).toBe(0);
    const end = meeting.scheduler.find('attendance-ended')?.end;
    expect(end).toMatchObject({ code: 'ALPHA_OBF_TOKEN_ERROR', recorded: false });
    expect(end?.message).toMatch(/gave no OBF token\. The stored Zoom credential is invalid\. Zoom refused/);
    expect((await meeting.log()).some(({ kind }) => kind === 'joinRequested')).toBe(false);
  }, 90_000);
});
