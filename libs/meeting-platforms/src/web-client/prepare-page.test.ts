import { createContext, runInContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { preparePageClock } from './prepare-page.ts';

test.each([-10, 10])('a page opened after a correction by %i minutes has the time of the session', async (minutes) => {
  const scope: Record<string, unknown> = { performance };
  createContext(scope);
  const page = {
    exposeBinding: async (name: string, respond: () => number) => void (scope[name] = async () => respond()),
    addInitScript: async ({ content }: { content: string }) => void runInContext(content, scope),
  } as unknown as Page;
  const originMs = performance.timeOrigin - minutes * 60_000;
  await preparePageClock(page, { now: () => originMs + performance.now(), sleep: async () => undefined });
  await new Promise((resolve) => setImmediate(resolve));
  expect(Math.abs(Number(scope['rapporteurTimeOriginMs']) - originMs)).toBeLessThan(30_000);
});
