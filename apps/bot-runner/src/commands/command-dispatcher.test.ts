import { describe, expect, test } from '@jest/globals';
import type { RunnerCommand } from '@rapporteur/contracts';
import { FakeClock } from '@rapporteur/async/testing';
import { quietLogger } from '../testing/quiet-logger.ts';
import { CommandDispatcher } from './command-dispatcher.ts';

const say = (message: string): RunnerCommand => ({ id: crypto.randomUUID(), kind: 'send-chat-message', message });

function setUp() {
  const clock = new FakeClock();
  const did: string[] = [];
  let results = 0;
  const dispatcher = new CommandDispatcher({ clock, logger: quietLogger, onResult: () => (results += 1) });
  dispatcher.serve(async (command) => {
    did.push(command.kind === 'send-chat-message' ? command.message : command.kind);
    return { outcome: 'done', message: 'Done.' };
  });
  return { clock, dispatcher, did, resultCount: () => results };
}

describe('CommandDispatcher', () => {
  test('does a command once, however often it is handed over, and keeps its result until it is not asked for', async () => {
    const { clock, dispatcher, did, resultCount } = setUp();
    const hello = say('Hello');
    dispatcher.take([hello]);
    dispatcher.take([hello]);
    await clock.advance(0);
    dispatcher.take([hello]);
    await clock.advance(0);
    expect([did, resultCount()]).toEqual([['Hello'], 1]);
    expect(dispatcher.results).toEqual([{ id: hello.id, outcome: 'done', message: 'Done.' }]);
    dispatcher.take([]);
    expect(dispatcher.results).toEqual([]);
    dispatcher.take([hello]);
    await clock.advance(0);
    expect([did, dispatcher.results]).toEqual([['Hello'], []]);
  });

  test('does one after the other, in their order, past one that fails', async () => {
    const { clock, dispatcher, did } = setUp();
    dispatcher.serve(async (command) => {
      if (command.kind === 'send-chat-message' && command.message === 'b') throw new Error('broken');
      did.push(`${command.id} begins`);
      await clock.sleep(100);
      did.push(`${command.id} ends`);
      return { outcome: 'done', message: 'Done.' };
    });
    const commands = [say('a'), say('b'), say('c')];
    dispatcher.take(commands);
    await clock.advance(0);
    await clock.advance(1_000);
    const [a, , c] = commands.map(({ id }) => id);
    expect(did).toEqual([`${a} begins`, `${a} ends`, `${c} begins`, `${c} ends`]);
    expect(dispatcher.results.map(({ outcome }) => outcome)).toEqual(['done', 'failed', 'done']);
  });

  test('ends what takes too long, and does not begin what waited too long', async () => {
    const { clock, dispatcher, did } = setUp();
    const stopped: string[] = [];
    dispatcher.serve(async (command, signal) => {
      did.push(command.id);
      signal.addEventListener('abort', () => stopped.push(command.id));
      return await new Promise(() => undefined);
    });
    const commands = [say('a'), say('b')];
    dispatcher.take(commands);
    await clock.advance(0);
    await clock.advance(7_900);
    expect(stopped).toEqual([]);
    await clock.advance(200);
    expect(stopped).toEqual([commands[0]?.id]);
    await clock.advance(1_000);
    expect(did).toEqual([commands[0]?.id]);
    expect(dispatcher.results.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
    expect(clock.sleeping).toBe(0);
  });

  test('skips a command that was withdrawn before its turn', async () => {
    const { clock, dispatcher, did } = setUp();
    const slow = Promise.withResolvers<void>();
    dispatcher.serve(async (command) => {
      did.push(command.id);
      await slow.promise;
      return { outcome: 'done', message: 'Done.' };
    });
    const [first, second] = [say('a'), say('b')];
    dispatcher.take([first, second]);
    await clock.advance(0);
    dispatcher.take([first]);
    slow.resolve();
    await clock.advance(0);
    expect(did).toEqual([first.id]);
  });

  test('refuses while the bot is in no meeting', async () => {
    const { clock, dispatcher, did } = setUp();
    dispatcher.serve(null);
    dispatcher.take([say('Hello')]);
    await clock.advance(0);
    expect(did).toEqual([]);
    expect(dispatcher.results).toMatchObject([{ outcome: 'refused' }]);
  });

  test('answers a command of a kind that it does not know, and ignores what is no command', async () => {
    const { clock, dispatcher } = setUp();
    const newer = { id: crypto.randomUUID(), kind: 'sing' };
    dispatcher.take([newer, 7, { kind: 'no id' }]);
    await clock.advance(0);
    expect(dispatcher.results).toMatchObject([{ id: newer.id, outcome: 'failed' }]);
  });

  test('takes no more than can wait; the rest comes again with the next reply', async () => {
    const { clock, dispatcher, did } = setUp();
    const commands = Array.from({ length: 60 }, (_, index) => say(String(index)));
    dispatcher.take(commands);
    await clock.advance(0);
    expect(did).toHaveLength(50);
    dispatcher.take(commands);
    await clock.advance(0);
    expect(did).toHaveLength(60);
  });
});
