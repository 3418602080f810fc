import { expect, test } from '@jest/globals';
import type { SessionClock } from '../platform.ts';
import { SessionJournal } from '../session-journal.ts';
import { DeviceButtons } from './device-buttons.ts';
import type { PageElement } from './page-client.ts';
import type { PageSnapshot } from './page-state.ts';
import type { PageDriver } from './page-driver.ts';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined };

/** A page with microphone and camera on that drops `lost` presses. Sleeping advances the time. */
function pageThatLoses(lost: number) {
  let nowMs = 0;
  const clock: SessionClock = { now: () => nowMs, sleep: async (ms) => void (nowMs += ms) };
  const on = { microphone: true, camera: true };
  const presses: PageElement[] = [];
  let left = lost;
  const shows = (element: PageElement): boolean => {
    const device = element.startsWith('microphone') ? 'microphone' : 'camera';
    return on[device] === element.endsWith('On');
  };
  const seen = (element: PageElement) => (shows(element) ? { element } : null);
  const driver = {
    devices: { microphone: false, camera: false },
    locateAll: async (elements: readonly PageElement[]) => elements.map(seen),
    locate: async (element: PageElement) => seen(element),
    find: async (element: PageElement) => seen(element),
    pressLocated: async ({ element }: { element: PageElement }) => {
      presses.push(element);
      if (left > 0) left -= 1;
      else on[element.startsWith('microphone') ? 'microphone' : 'camera'] = false;
      return true;
    },
  } as unknown as PageDriver<PageSnapshot>;
  const journal = new SessionJournal(quiet, clock.now);
  return { buttons: new DeviceButtons({ driver, journal, clock }), on, presses };
}

test('a press that the page took and lost is repeated before the bot joins', async () => {
  const { buttons, on, presses } = pageThatLoses(1);
  expect(await buttons.set()).toBe(false);
  expect(await buttons.set()).toBe(true);
  expect({ on, presses }).toEqual({
    on: { microphone: false, camera: false },
    presses: ['microphoneOn', 'microphoneOn', 'cameraOn'],
  });
});

test('a button that never switches does not keep the bot out', async () => {
  const { buttons } = pageThatLoses(1_000);
  const results = [];
  for (let poll = 0; poll < 5; poll += 1) results.push(await buttons.set());
  expect(results).toEqual([false, false, false, false, true]);
});
