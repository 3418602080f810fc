import { describe, expect, test } from '@jest/globals';
import type { RunnerCommand } from '@rapporteur/contracts';
import { FakeClock } from '@rapporteur/service-runtime/testing';
import { quietLogger } from '../testing/quiet-logger.ts';
import { CommandDesk } from './command-desk.ts';

const say = (message: string): RunnerCommand => ({ id: crypto.randomUUID(), kind: 'send-chat-message', message });

function setUp() {
  const clock = new FakeClock();
  const did: string[] = [];
  let rung = 0;
  const desk = new CommandDesk({ clock, logger: quietLogger, onResult: () => (rung += 1) });
  desk.serve(async (command) => {
    did.push(command.kind === 'send-chat-message' ? command.message : command.kind);
    return { outcome: 'done', message: 'Done.' };
  });
  return { clock, desk, did, rings: () => rung };
}

describe('CommandDesk', () => {
  test('does a command once, however often it is handed over, and keeps its result until it is not asked for', async () => {
    const { clock, desk, did, rings } = setUp();
    const hello = say('Hello');
    desk.take([hello]);
    desk.take([hello]);
    await clock.advance(0);
    desk.take([hello]);
    await clock.advance(0);
    expect([did, rings()]).toEqual([['Hello'], 1]);
    expect(desk.results).toEqual([{ id: hello.id, outcome: 'done', message: 'Done.' }]);
    desk.take([]);
    expect(desk.results).toEqual([]);
    desk.take([hello]);
    await clock.advance(0);
    expect([did, desk.results]).toEqual([['Hello'], []]);
  });

  test('does one after the other, in their order, past one that fails', async () => {
    const { clock, desk, did } = setUp();
    desk.serve(async (command) => {
      if (command.kind === 'send-chat-message' && command.message === 'b') throw new Error('broken');
      did.push(`${command.id} begins`);
      await clock.sleep(100);
      did.push(`${command.id} ends`);
      return { outcome: 'done', message: 'Done.' };
    });
    const commands = [say('a'), say('b'), say('c')];
    desk.take(commands);
    await clock.advance(0);
    await clock.advance(1_000);
    const [a, , c] = commands.map(({ id }) => id);
    expect(did).toEqual([`${a} begins`, `${a} ends`, `${c} begins`, `${c} ends`]);
    expect(desk.results.map(({ outcome }) => outcome)).toEqual(['done', 'failed', 'done']);
  });

  test('ends what takes too long, and does not begin what waited too long', async () => {
    const { clock, desk, did } = setUp();
    const stopped: string[] = [];
    desk.serve(async (command, signal) => {
      did.push(command.id);
      signal.addEventListener('abort', () => stopped.push(command.id));
      return await new Promise(() => undefined);
    });
    const commands = [say('a'), say('b')];
    desk.take(commands);
    await clock.advance(0);
    await clock.advance(7_900);
    expect(stopped).toEqual([]);
    await clock.advance(200);
    expect(stopped).toEqual([commands[0]?.id]);
    await clock.advance(1_000);
    expect(did).toEqual([commands[0]?.id]);
    expect(desk.results.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
    expect(clock.sleeping).toBe(0);
  });

  test('leaves out what nobody asks for any more when its turn comes', async () => {
    const { clock, desk, did } = setUp();
    const slow = Promise.withResolvers<void>();
    desk.serve(async (command) => {
      did.push(command.id);
      await slow.promise;
      return { outcome: 'done', message: 'Done.' };
    });
    const [first, second] = [say('a'), say('b')];
    desk.take([first, second]);
    await clock.advance(0);
    desk.take([first]);
    slow.resolve();
    await clock.advance(0);
    expect(did).toEqual([first.id]);
  });

  test('refuses while nobody is in a meeting', async () => {
    const { clock, desk, did } = setUp();
    desk.serve(null);
    desk.take([say('Hello')]);
    await clock.advance(0);
    expect(did).toEqual([]);
    expect(desk.results).toMatchObject([{ outcome: 'refused' }]);
  });

  test('answers a command of a kind that it does not know, and ignores what is no command', async () => {
    const { clock, desk } = setUp();
    const newer = { id: crypto.randomUUID(), kind: 'sing' };
    desk.take([newer, 7, { kind: 'no id' }]);
    await clock.advance(0);
    expect(desk.results).toMatchObject([{ id: newer.id, outcome: 'failed' }]);
  });

  test('takes no more than can wait; the rest comes again with the next reply', async () => {
    const { clock, desk, did } = setUp();
    const commands = Array.from({ length: 60 }, (_, index) => say(String(index)));
    desk.take(commands);
    await clock.advance(0);
    expect(did).toHaveLength(50);
    desk.take(commands);
    await clock.advance(0);
    expect(did).toHaveLength(60);
  });
});
