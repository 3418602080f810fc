import type { Clock } from '../clock.ts';
import { Broadcast } from '../media/broadcast.ts';
import type { MediaCache } from '../media/media-cache.ts';
import type { PictureKind, PictureLoop } from '../media/picture-loop.ts';
import { addressOf } from '../sites/platforms.ts';
import type { PlatformName } from '../sites/platforms.ts';
import { ReceivedFromBrowsers } from '../media/received-from-browsers.ts';
import { preparePeople } from '../people/prepare-people.ts';
import type { PersonPlan } from '../people/prepare-people.ts';
import type { ScheduledSentence } from '../people/schedule.ts';
import { RoomFaults } from './faults.ts';
import type { Fault } from './faults.ts';
import { happen } from './room-events.ts';
import type { RoomEvent } from './room-events.ts';
import { Room } from './room.ts';
import { plannedPeople } from './room-options.ts';
import type { RoomOptions } from './room-options.ts';
import { Timetable } from './timetable.ts';
import type { Planned, VisitMoment } from './timetable.ts';

/** A running meeting: its rules, its people's plan and its media. */
export type HostedRoom = {
  room: Room;
  options: RoomOptions;
  people: PersonPlan[];
  schedule: ScheduledSentence[];
  broadcast: Broadcast;
  received: ReceivedFromBrowsers;
  faults: RoomFaults;
  /** A browser got so far: what was planned for that happens. */
  reached(moment: VisitMoment): void;
  /** Nothing more happens and nothing more is sent. */
  stop(): void;
};

/** Why a room could not be started; `status` is the HTTP status that fits. */
export class RoomRefused extends Error {
  readonly status: number;
  readonly field: string | null;

  constructor(message: string, status: number, field: string | null) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

const LARGEST_NUMBER_OF_ROOMS = 32;
const KEPT_AFTER_END_MS = 10 * 60_000;

function mediaOptions(options: RoomOptions): Parameters<typeof preparePeople>[2] {
  return {
    loopSeconds: options.loopSeconds,
    firstSentenceAtMs: Math.round(options.startsSpeakingAfterSeconds * 1000),
    overlap: options.overlap,
    framesPerSecond: options.framesPerSecond,
    picture: { codec: options.videoCodec, size: 'usual' },
  };
}

/** All rooms of this simulator. Ended rooms are kept for ten minutes, so that their log can still be read. */
export class RoomRegistry {
  readonly #clock: Clock;
  readonly #cache: MediaCache;
  readonly #rooms = new Map<string, HostedRoom>();
  readonly #starting = new Set<string>();
  #prepared: Promise<unknown> = Promise.resolve();

  constructor(cache: MediaCache, clock: Clock) {
    this.#cache = cache;
    this.#clock = clock;
  }

  /** Makes the media of such a room ahead, so that the first one opens at once; a room waits for it. */
  prepare(options: RoomOptions): Promise<unknown> {
    this.#prepared = preparePeople(this.#cache, plannedPeople(options), mediaOptions(options));
    // A room that needs them meets the same problem, and answers it.
    this.#prepared = this.#prepared.catch(() => undefined);
    return this.#prepared;
  }

  /** Prepares the media (a moment when cached, else seconds) and opens the room. Throws RoomRefused. */
  async start(options: RoomOptions): Promise<HostedRoom> {
    this.#forgetOld();
    const code = this.#reserveCode(options.platform, options.code);
    try {
      const hosted = await this.#open(code, options);
      this.#rooms.set(code, hosted);
      return hosted;
    } finally {
      this.#starting.delete(code);
    }
  }

  find(code: string): HostedRoom | null {
    this.#forgetOld();
    return this.#rooms.get(code) ?? null;
  }

  /** The running room that an address of the platform's site names in its path. */
  namedIn(platform: PlatformName, path: string): HostedRoom | null {
    for (const part of path.toLowerCase().split(/[/?&#=]/)) {
      const hosted = this.#rooms.get(part);
      if (hosted?.options.platform === platform) return hosted;
    }
    return null;
  }

  all(): HostedRoom[] {
    this.#forgetOld();
    return [...this.#rooms.values()];
  }

  /** Ends the meeting and forgets it at once. False when there is none. */
  delete(code: string): boolean {
    const hosted = this.#rooms.get(code);
    hosted?.room.end();
    hosted?.stop();
    return this.#rooms.delete(code);
  }

  stop(): void {
    for (const code of this.#rooms.keys()) this.delete(code);
  }

  async #open(code: string, options: RoomOptions): Promise<HostedRoom> {
    await this.#prepared;
    const people = plannedPeople(options);
    const planned = mediaOptions(options);
    const usual = planned.picture;
    const { schedule, media, mixOf, screenOf, pictureOf } = await preparePeople(this.#cache, people, planned);
    await renderPlanned(options, people.length, (index, change) => pictureOf(index, { ...usual, ...change }));
    const clockZero = this.#clock.now();
    const { framesPerSecond } = options;
    const withoutCamera = people.flatMap(({ camera }, index) => (camera === false ? [index] : []));
    const broadcast = new Broadcast({ media, clockZero, framesPerSecond, clock: this.#clock, unseen: withoutCamera });
    const kinds = new Map<number, PictureKind>();
    const presentIndexes = (): number[] => room.people().flatMap(({ inCall }, index) => (inCall ? [index] : []));
    const mixPresent = async (): Promise<void> => {
      if (!addressOf(options.platform).mixesSound) return;
      const present = presentIndexes();
      const mix = await mixOf(present);
      // Somebody else may have left meanwhile, whose own mix comes next.
      if (present.length === presentIndexes().length) broadcast.setMix(mix);
    };
    const room: Room = new Room({
      code,
      peopleNames: people.map((person) => person.name),
      absent: people.flatMap(({ absent }, index) => (absent === true ? [index] : [])),
      withoutCamera,
      rules: options,
      clock: this.#clock,
      clockZero,
      onPersonChanged: (personIndex, inCall) => {
        if (inCall) broadcast.hear(personIndex);
        else broadcast.silence(personIndex);
        // Without a new mix the old one goes on: the meeting is more than that.
        queueMicrotask(() => void mixPresent().catch(() => undefined));
      },
      onScreenChanged: (personIndex) => {
        broadcast.setScreen(null);
        const sharing = personIndex === null ? null : screenOf(personIndex);
        void sharing?.then((frames) => room.screenShared && broadcast.setScreen(frames)).catch(() => undefined);
      },
      onPictureChanged: (personIndex, change) => {
        const kind = { ...usual, ...kinds.get(personIndex), ...change };
        kinds.set(personIndex, kind);
        // What was asked for last holds, however long each takes to draw.
        const show = (picture: PictureLoop | null): void => {
          if (picture !== null && kinds.get(personIndex) === kind) broadcast.setPicture(personIndex, picture);
        };
        void pictureOf(personIndex, kind)
          .then(show)
          .catch(() => undefined);
      },
    });
    await mixPresent();
    const received = new ReceivedFromBrowsers(this.#clock.now);
    return { room, options, people, schedule, broadcast, received, ...this.#happenings(room, broadcast, options) };
  }

  #happenings(room: Room, broadcast: Broadcast, options: RoomOptions): Pick<HostedRoom, 'faults' | 'reached' | 'stop'> {
    const faults = new RoomFaults({
      clock: this.#clock,
      lateness: options.lateness,
      targets: {
        everyoneLeaves: () => room.everyoneLeaves(),
        hostEnds: () => room.end(),
        struck: (fault) => room.noteFault(describeFault(fault)),
      },
    });
    const planned = [
      new Timetable(this.#clock, options.faults, (fault) => faults.strike(fault)),
      new Timetable(this.#clock, [...options.events, ...variantEvents(options)], (event) => void happen(room, event)),
    ];
    return {
      faults,
      reached: (moment) => planned.forEach((timetable) => timetable.reached(moment)),
      stop: () => {
        for (const timetable of planned) timetable.stop();
        broadcast.stop();
      },
    };
  }

  #reserveCode(platform: PlatformName, wanted: string | undefined): string {
    if (wanted !== undefined && (this.#starting.has(wanted) || this.#rooms.get(wanted)?.room.endedAt === null)) {
      throw new RoomRefused(`A meeting with the code ${wanted} is running already.`, 409, 'code');
    }
    if (wanted !== undefined) this.delete(wanted);
    if (this.#rooms.size + this.#starting.size >= LARGEST_NUMBER_OF_ROOMS) this.#forgetOldestEnded();
    if (this.#rooms.size + this.#starting.size >= LARGEST_NUMBER_OF_ROOMS) {
      throw new RoomRefused(`There are ${LARGEST_NUMBER_OF_ROOMS} rooms already. End one of them first.`, 429, null);
    }
    const { newCode } = addressOf(platform);
    let code = wanted ?? newCode();
    while (this.#rooms.has(code) || this.#starting.has(code)) code = newCode();
    this.#starting.add(code);
    return code;
  }

  #forgetOld(): void {
    const now = this.#clock.now();
    for (const [code, { room }] of this.#rooms) {
      if (room.endedAt !== null && now - room.endedAt >= KEPT_AFTER_END_MS) this.delete(code);
    }
  }

  #forgetOldestEnded(): void {
    const ended = [...this.#rooms.values()].filter(({ room }) => room.endedAt !== null);
    const oldest = ended.sort((one, other) => (one.room.endedAt ?? 0) - (other.room.endedAt ?? 0))[0];
    if (oldest !== undefined) this.delete(oldest.room.code);
  }
}

/** Draws now what is planned to be sent later in another way, so that it is there in time. */
async function renderPlanned(
  options: RoomOptions,
  people: number,
  render: (personIndex: number, change: Partial<PictureKind>) => Promise<unknown>,
): Promise<void> {
  const soFar = new Map<number, Partial<PictureKind>>();
  for (const { what } of options.events) {
    if (what.do !== 'change-picture') continue;
    const { person, codec, size } = what;
    for (const index of person === undefined ? Array.from({ length: people }, (_, each) => each) : [person]) {
      const change = { ...soFar.get(index), ...(codec && { codec }), ...(size && { size }) };
      soFar.set(index, change);
      await render(index, change);
    }
  }
}

function describeFault({ kind, ...details }: Fault): string {
  return [kind, ...Object.entries(details).map(([name, value]) => `${name}=${String(value)}`)].join(' ');
}

/** What a variant makes people do. */
function variantEvents({ platform, meet }: RoomOptions): Planned<RoomEvent>[] {
  if (platform !== 'meet' || meet.screenShare === 'none') return [];
  const what = { do: 'share-screen', person: 0 } as const;
  if (meet.screenShare === 'from-start') return [{ atSecond: 0, on: undefined, afterSeconds: 0, what }];
  return [{ atSecond: undefined, on: 'admitted', afterSeconds: 4, what }];
}
