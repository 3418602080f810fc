import { expect, test } from '@jest/globals';
import { createLogger } from './logger.ts';
import { StopList } from './run-service.ts';

test('stopping goes in reverse order, past failures and hangs, once', async () => {
  const stopped: string[] = [];
  const stops = new StopList(createLogger('test', 'silent'));
  stops.add('first', () => void stopped.push('first'));
  stops.add('broken', () => {
    throw new Error('broken');
  });
  stops.add('hanging', () => new Promise(() => undefined), 5);
  stops.add('last', () => void stopped.push('last'));
  expect(await stops.stopAll()).toBe(false);
  expect(await stops.stopAll()).toBe(false);
  expect(stopped).toEqual(['last', 'first']);
});
