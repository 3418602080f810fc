import type { HostedRoom } from '../rooms/room-registry.ts';
import { RoomCaptions } from './room-captions.ts';
import type { CaptionVersion } from './room-captions.ts';

const POLL_INTERVAL_MS = 100;

/** Sends the room's captions to one browser while they are turned on there. */
export class CaptionFeed {
  readonly #hosted: HostedRoom;
  readonly #now: () => number;
  readonly #send: (version: CaptionVersion) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(hosted: HostedRoom, now: () => number, send: (version: CaptionVersion) => void) {
    this.#hosted = hosted;
    this.#now = now;
    this.#send = send;
  }

  /** The choice of the page's user. */
  set(on: boolean): void {
    this.stop();
    const { room, schedule, options } = this.#hosted;
    if (!on || options.captions.offered !== 'yes') return;
    const elapsedMs = (): number => this.#now() - room.clockZero;
    const captions = new RoomCaptions(schedule, options.loopSeconds * 1_000, options.captions, elapsedMs());
    this.#timer = setInterval(() => captions.next(elapsedMs()).forEach(this.#send), POLL_INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
