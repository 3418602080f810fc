import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { Webhook } from 'standardwebhooks';
import { botEndedWith, statusChanged } from './testing/bot-events.ts';
import { startSurroundings } from './testing/delivery-under-test.ts';
import type { Surroundings } from './testing/delivery-under-test.ts';
import { hang, ok, startReceiver } from './testing/receiver.ts';
import type { Receiver } from './testing/receiver.ts';

interface RunningService {
  readonly child: ChildProcess;
  readonly url: string;
  readonly output: () => string;
}

let surroundings: Surroundings;
let receiver: Receiver;
const running = new Set<ChildProcess>();
beforeAll(async () => {
  [surroundings, receiver] = await Promise.all([startSurroundings(), startReceiver()]);
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await receiver.close();
  await surroundings.stop();
});

/** Delivery as its own process, ready. */
async function startProcess(changes: Record<string, string> = {}): Promise<RunningService> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts')],
    {
      env: {
        PATH: process.env['PATH'],
        ...surroundings.environment,
        RAPPORTEUR_ATTEMPT_TIMEOUT_MS: '1000',
        ...changes,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  running.add(child);
  child.once('exit', () => running.delete(child));
  let text = '';
  child.stdout?.on('data', (chunk) => (text += String(chunk)));
  child.stderr?.on('data', (chunk) => (text += String(chunk)));
  await Promise.race([once(child, 'message'), once(child, 'exit')]);
  // What the process wrote may be read a moment after it said that it is ready.
  await waitFor(() => text.includes('answers on') || child.exitCode !== null, { what: 'its address' });
  const url = /answers on (http:\/\/127\.0\.0\.1:\d+)/.exec(text)?.[1] ?? `did not start: ${text}`;
  return { child, url, output: () => text };
}

async function end({ child }: RunningService, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill(signal);
  return ((await exited) as [number | null])[0];
}

describe('the process', () => {
  test('killed in the middle of an attempt makes it again after a restart, with the same id and bytes', async () => {
    const teamId = randomUUID();
    const first = await startProcess();
    const { secret } = await surroundings.api(first.url, teamId).endpoint(receiver.url);
    receiver.answer(hang);
    await surroundings.ended(botEndedWith(teamId));
    await waitFor(() => receiver.calls.length === 1, { what: 'the first attempt' });
    await end(first, 'SIGKILL');
    await surroundings.statusChanged(statusChanged(teamId));
    receiver.answer(ok);
    const second = await startProcess();
    // What rang for the process just before its end was noticed is rung again some seconds later.
    await waitFor(() => receiver.calls.length === 3, {
      what: 'the attempt made again, and the message told meanwhile',
      timeoutMs: 45_000,
    });
    const [before] = receiver.calls;
    const again = receiver.calls.slice(1).find((call) => call.headers['webhook-id'] === before?.headers['webhook-id']);
    expect(again?.body.equals(before?.body ?? Buffer.alloc(0))).toBe(true);
    const headers = (again?.headers ?? {}) as Record<string, string>;
    expect(new Webhook(secret).verify(again?.body ?? '', headers)).toMatchObject({ event: 'bot.completed' });
    expect(await end(second, 'SIGTERM')).toBe(0);
    expect(receiver.calls).toHaveLength(3);
  }, 90_000);

  test('asked to stop in the middle of an attempt ends cleanly, and says nothing secret on the way', async () => {
    const teamId = randomUUID();
    const service = await startProcess();
    const { secret } = await surroundings.api(service.url, teamId).endpoint(receiver.url);
    let release: () => void = () => undefined;
    receiver.answer((_call, response) => {
      release = () => void response.end('ok');
    });
    const before = receiver.calls.length;
    await surroundings.statusChanged(statusChanged(teamId));
    await waitFor(() => receiver.calls.length > before, { what: 'the attempt' });
    const ended = end(service, 'SIGTERM');
    release();
    expect(await ended).toBe(0);
    const rows = await surroundings.database.query(
      `select d.state from deliveries d join messages m using (message_id) where m.team_id = $1`,
      [teamId],
    );
    expect(rows).toEqual([{ state: 'succeeded' }]);
    expect(service.output()).toContain(`"teamId":"${teamId}"`);
    for (const hidden of [
      secret,
      surroundings.environment['RAPPORTEUR_SECRET_KEY'],
      surroundings.environment['RAPPORTEUR_INTERNAL_SECRET'],
    ])
      expect(service.output()).not.toContain(hidden);
  });

  test.each([
    ['a secret key that is no key', { RAPPORTEUR_SECRET_KEY: 'x'.repeat(50) }, 'must be 32 random bytes'],
    ['an allowed address it cannot read', { RAPPORTEUR_ALLOWED_ADDRESSES: 'my-network' }, 'my-network'],
    ['a setting it does not know', { RAPPORTEUR_COLOUR: 'red' }, 'RAPPORTEUR_COLOUR is not a setting'],
  ])('does not start with %s, and says so in words', async (_what, changes, words) => {
    const { child, output } = await startProcess(changes);
    await waitFor(() => child.exitCode !== null, { what: 'its end' });
    expect(child.exitCode).not.toBe(0);
    await waitFor(() => output().includes(words), { what: words });
  });
});
