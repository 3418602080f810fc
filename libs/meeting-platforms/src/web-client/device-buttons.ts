import type { OutgoingDevices, SessionClock } from '../platform.ts';
import type { SessionJournal } from '../session-journal.ts';
import type { PageElement } from './page-client.ts';
import type { PageSnapshot } from './page-state.ts';
import { happensInTime, repeatPress } from './page-driver.ts';
import type { PageDriver } from './page-driver.ts';

type Device = keyof OutgoingDevices;

const devicesInOrder = ['microphone', 'camera'] as const satisfies readonly Device[];
const buttons: Readonly<Record<Device, { readonly on: PageElement; readonly off: PageElement }>> = {
  microphone: { on: 'microphoneOn', off: 'microphoneOff' },
  camera: { on: 'cameraOn', off: 'cameraOff' },
};
/** Short timeout: without the buttons the bot joins with the page's state. */
const pressMs = 1_200;
const mostCovered = 5;
const switchesWithinMs = 2_000;
/** The page may switch devices off during admission; later participants do, and that is final. */
const restoreWithinMs = 20_000;
const restorePollMs = 1_000;
const agreeingSamples = 2;

interface DeviceButtonsPorts<S extends PageSnapshot> {
  readonly driver: PageDriver<S>;
  readonly journal: SessionJournal;
  readonly clock: SessionClock;
}

/** The page's own buttons for microphone and camera: on for the bot's devices, off otherwise. */
export class DeviceButtons<S extends PageSnapshot> {
  readonly #ports: DeviceButtonsPorts<S>;
  readonly #wanted: OutgoingDevices;
  #covered = 0;

  constructor(ports: DeviceButtonsPorts<S>) {
    this.#ports = ports;
    this.#wanted = ports.driver.devices;
  }

  /** Before joining. False: a button is covered or a press was lost, and the page has to be read again first. */
  async set(): Promise<boolean> {
    const { driver } = this.#ports;
    const places = devicesInOrder.map((device) => {
      const { on, off } = buttons[device];
      return { device, place: this.#wanted[device] ? off : on };
    });
    const seen = await driver.locateAll(places.map(({ place }) => place));
    let pressed = false;
    for (const [index, { device, place }] of places.entries()) {
      const before = seen[index] ?? null;
      // What was pressed may have moved the next one.
      const button = before !== null && pressed ? await driver.locate(place) : before;
      if (button === null) continue;
      if (await driver.pressLocated(button, pressMs)) {
        pressed = true;
        if (await this.#switched(device)) continue;
        this.#ports.journal.step(`${place}-press-lost`);
      } else await this.#uncover(place);
      this.#covered += 1;
      // A button that cannot be pressed does not prevent the join.
      if (this.#covered < mostCovered) return false;
    }
    return true;
  }

  /** In the call, once: switches devices on again that were switched off during the join. Never throws. */
  async restore(signal: AbortSignal): Promise<void> {
    const { clock, driver } = this.#ports;
    const until = clock.now() + restoreWithinMs;
    const open = new Set(devicesInOrder.filter((device) => this.#wanted[device]));
    const found = new Set<Device>();
    for (let agreeing = 0; open.size > 0 && agreeing < agreeingSamples && clock.now() < until;) {
      if (signal.aborted || driver.gone) return;
      const on = await driver.serialized(() => this.#observeAndPress([...open], found));
      agreeing = on ? agreeing + 1 : 0;
      await clock.sleep(restorePollMs, signal).catch(() => undefined);
    }
    for (const device of open) if (!found.has(device)) this.#ports.journal.step(`${device}-button-missing`);
  }

  /** True when all of them are on. */
  async #observeAndPress(devices: readonly Device[], found: Set<Device>): Promise<boolean> {
    const { driver, journal } = this.#ports;
    let allOn = true;
    for (const device of devices) {
      const isOn = (await driver.find(buttons[device].on)) !== null;
      const button = isOn ? null : await driver.find(buttons[device].off);
      if (isOn || button !== null) found.add(device);
      allOn &&= isOn;
      // Controls hide themselves until the mouse moves.
      if (!isOn && button === null) await driver.stir();
      if (button === null || !(await driver.pressAt(button, pressMs))) continue;
      journal.step(`${device}-switched-on`);
      await this.#switched(device);
    }
    return allOn;
  }

  /** The label follows the press a moment later; pressed again meanwhile, it would switch back. */
  async #switched(device: Device): Promise<boolean> {
    const { clock, driver } = this.#ports;
    const { on, off } = buttons[device];
    const happened = this.#wanted[device]
      ? async () => (await driver.find(on)) !== null
      : async () => (await driver.find(off)) !== null || (await driver.find(on)) === null;
    return await happensInTime(happened, { timeoutMs: switchesWithinMs, clock });
  }

  /** Escape closes most overlays of pages. */
  async #uncover(what: PageElement): Promise<void> {
    this.#ports.journal.step(`${what}-covered`);
    await this.#ports.driver.input.strike('Escape');
  }
}

const videosTimeoutMs = 20_000;
const videosMenuOpensMs = 1_500;
const videosAgainMs = 1_000;

interface IncomingVideoPorts<S extends PageSnapshot> {
  readonly driver: PageDriver<S>;
  readonly journal: SessionJournal;
  readonly clock: SessionClock;
}

/**
 * Presses the page's own control that stops the videos of others, for a bot that records none or cannot at present, or
 * the one that starts them again. Without the control, or when it does not respond, the videos are received as before:
 * only the cost differs. Never throws.
 */
export async function switchIncomingVideo<S extends PageSnapshot>(
  { driver, journal, clock }: IncomingVideoPorts<S>,
  wanted: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (driver.client.elements.stopIncomingVideo === undefined) return;
  const [control, opposite] = wanted
    ? (['startIncomingVideo', 'stopIncomingVideo'] as const)
    : (['stopIncomingVideo', 'startIncomingVideo'] as const);
  const isDone = async (): Promise<boolean> => (await driver.find(opposite)) !== null;
  const isOffered = async (): Promise<boolean> => (await driver.find(control)) !== null || (await isDone());
  let done = false;
  const press = async (): Promise<boolean> => {
    if (!(await isOffered())) {
      // Controls hide themselves until the mouse moves.
      await driver.stir();
      if (!(await driver.press('moreControls'))) return false;
      if (!(await happensInTime(isOffered, { timeoutMs: videosMenuOpensMs, clock, signal }))) {
        await driver.input.strike('Escape');
        return true;
      }
    }
    done = (await isDone()) || (await driver.press(control));
    if (done) await driver.input.strike('Escape');
    return done;
  };
  const { happened } = await repeatPress(
    {
      happened: async () => done || driver.gone,
      press: () => driver.serialized(press).catch(() => false),
      againMs: videosAgainMs,
      timeoutMs: videosTimeoutMs,
    },
    clock,
    signal,
  );
  const step = wanted ? 'incoming-video-started' : 'incoming-video-stopped';
  journal.step(happened && done ? step : 'incoming-video-control-missing');
}
