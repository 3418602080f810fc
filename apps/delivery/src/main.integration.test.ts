import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceProcesses, waitFor } from '@rapporteur/testbed';
import { Webhook } from 'standardwebhooks';
import { botEndedWith, statusChanged } from './testing/bot-events.ts';
import { startSurroundings } from './testing/delivery-under-test.ts';
import type { Surroundings } from './testing/delivery-under-test.ts';
import { hang, ok, startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';

let surroundings: Surroundings;
let receiver: Receiver;
const processes = serviceProcesses(join(import.meta.dirname, 'main.ts'));
beforeAll(async () => {
  [surroundings, receiver] = await Promise.all([startSurroundings(), startReceiver()]);
});
afterAll(async () => {
  await processes.killAll();
  await receiver.close();
  await surroundings.stop();
});

const startProcess = (changes: Record<string, string> = {}) =>
  processes.start({ ...surroundings.environment, ...changes });

describe('the process', () => {
  test('killed in the middle of an attempt makes it again after a restart, with the same id and bytes', async () => {
    const teamId = randomUUID();
    // The lease of an attempt lasts twice as long.
    const first = await startProcess({ RAPPORTEUR_ATTEMPT_TIMEOUT_MS: '1000' });
    const { secret } = await surroundings.api(first.urls[0] ?? '', teamId).endpoint(receiver.url);
    receiver.response(hang);
    await surroundings.ended(botEndedWith(teamId));
    await waitFor(() => receiver.calls.length === 1, { what: 'the first attempt' });
    await first.end('SIGKILL');
    await surroundings.statusChanged(statusChanged(teamId));
    receiver.response(ok);
    const second = await startProcess();
    // A message that was sent to the process just before its end was detected is redelivered some seconds later.
    await waitFor(() => receiver.calls.length === 3, {
      what: 'the second attempt, and the message stored meanwhile',
    });
    const [before] = receiver.calls;
    const again = receiver.calls.slice(1).find((call) => call.headers['webhook-id'] === before?.headers['webhook-id']);
    expect(again?.body.equals(before?.body ?? Buffer.alloc(0))).toBe(true);
    const headers = (again?.headers ?? {}) as Record<string, string>;
    expect(new Webhook(secret).verify(again?.body ?? '', headers)).toMatchObject({ event: 'bot.completed' });
    expect(await second.end('SIGTERM')).toBe(0);
    expect(receiver.calls).toHaveLength(3);
  }, 90_000);

  test('requested to stop in the middle of an attempt ends cleanly, and logs nothing secret on the way', async () => {
    const teamId = randomUUID();
    const service = await startProcess();
    const { secret } = await surroundings.api(service.urls[0] ?? '', teamId).endpoint(receiver.url);
    let release: () => void = () => undefined;
    receiver.response((_call, response) => {
      release = () => void response.end('ok');
    });
    const before = receiver.calls.length;
    await surroundings.statusChanged(statusChanged(teamId));
    await waitFor(() => receiver.calls.length > before, { what: 'the attempt' });
    const ended = service.end('SIGTERM');
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
  ])('does not start with %s, and reports it in plain words', async (_what, changes, words) => {
    const { child, output } = await startProcess(changes);
    expect(child.exitCode).not.toBe(0);
    expect(output()).toContain(words);
  });
});
