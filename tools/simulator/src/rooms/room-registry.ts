import type { Clock } from '../clock.ts';
import { Broadcast } from '../media/broadcast.ts';
import type { MediaCache } from '../media/media-cache.ts';
import type { VideoKind, VideoLoop } from '../media/video-loop.ts';
import { addressOf } from '../sites/platforms.ts';
import type { PlatformName } from '../sites/platforms.ts';
import { prepareParticipants } from '../participants/prepare-participants.ts';
import type { ParticipantPlan } from '../participants/prepare-participants.ts';
import type { ScheduledSentence } from '../participants/schedule.ts';
import { ReceivedMedia } from '../media/received-media.ts';
import { RoomFaults } from './faults.ts';
import type { Fault } from './faults.ts';
import { happen } from './room-events.ts';
import type { RoomEvent } from './room-events.ts';
import { Room } from './room.ts';
import { plannedParticipants } from './room-options.ts';
import type { RoomOptions } from './room-options.ts';
import { Timetable } from './timetable.ts';
import type { Planned, SessionEvent } from './timetable.ts';

/** What each browser of a room sends, by its id; that of the newest browsers only. */
export class ReceivedFromBrowsers {
  static readonly #most = 60;
  readonly #now: () => number;
  readonly #byId = new Map<string, ReceivedMedia>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Created at the first access. */
  of(id: string): ReceivedMedia {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const received = new ReceivedMedia(this.#now);
    this.#byId.set(id, received);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > ReceivedFromBrowsers.#most && oldest !== undefined) this.#byId.delete(oldest);
    return received;
  }

  find(id: string): ReceivedMedia | null {
    return this.#byId.get(id) ?? null;
  }
}

/** A running meeting: its rules, its participants' plan and its media. */
export type HostedRoom = {
  room: Room;
  options: RoomOptions;
  participants: ParticipantPlan[];
  schedule: ScheduledSentence[];
  broadcast: Broadcast;
  received: ReceivedFromBrowsers;
  faults: RoomFaults;
  /** A browser reached this event: runs the actions planned for it. */
  reached(moment: SessionEvent): void;
  /** Stops all activity and sending. */
  stop(): void;
};

/** The reason why a room could not be started; `status` is the matching HTTP status. */
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

function mediaOptions(options: RoomOptions): Parameters<typeof prepareParticipants>[2] {
  return {
    loopSeconds: options.loopSeconds,
    firstSentenceAtMs: Math.round(options.startsSpeakingAfterSeconds * 1000),
    overlap: options.overlap,
    framesPerSecond: options.framesPerSecond,
    video: { codec: options.videoCodec, size: 'usual' },
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

  /** Renders the media of such a room in advance, so that the first one opens at once; a room waits for it. */
  prepare(options: RoomOptions): Promise<unknown> {
    this.#prepared = prepareParticipants(this.#cache, plannedParticipants(options), mediaOptions(options));
    // A room that needs them fails with the same problem and reports it.
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

  /** The running room in the path of an address of the platform's site. */
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

  /** Ends and deletes the meeting at once. False when there is none. */
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
    const participants = plannedParticipants(options);
    const planned = mediaOptions(options);
    const usual = planned.video;
    const { schedule, media, mixOf, screenOf, videoOf } = await prepareParticipants(this.#cache, participants, planned);
    await renderPlanned(options, participants.length, (index, change) => videoOf(index, { ...usual, ...change }));
    await renderPlannedScreens(options, screenOf);
    const clockZero = this.#clock.now();
    const { framesPerSecond } = options;
    const withoutCamera = participants.flatMap(({ camera }, index) => (camera === false ? [index] : []));
    const broadcast = new Broadcast({ media, clockZero, framesPerSecond, clock: this.#clock, unseen: withoutCamera });
    const kinds = new Map<number, VideoKind>();
    const presentIndexes = (): number[] => room.participants().flatMap(({ inCall }, index) => (inCall ? [index] : []));
    const mixPresent = async (): Promise<void> => {
      if (!addressOf(options.platform).mixesAudio) return;
      const present = presentIndexes();
      const mix = await mixOf(present);
      // Another participant may have left meanwhile, whose own mix comes next.
      if (present.length === presentIndexes().length) broadcast.setMix(mix);
    };
    const room: Room = new Room({
      code,
      participants,
      absent: participants.flatMap(({ absent }, index) => (absent === true ? [index] : [])),
      withoutCamera,
      rules: options,
      clock: this.#clock,
      clockZero,
      onParticipantChanged: (participantIndex, inCall) => {
        if (inCall) broadcast.resume(participantIndex);
        else broadcast.silence(participantIndex);
        // Without a new mix the old one continues: the meeting has priority.
        queueMicrotask(() => void mixPresent().catch(() => undefined));
      },
      onScreenChanged: (participantIndex) => {
        broadcast.setScreen(null);
        const sharing = participantIndex === null ? null : screenOf(participantIndex);
        void sharing?.then((frames) => room.screenShared && broadcast.setScreen(frames)).catch(() => undefined);
      },
      onVideoChanged: (participantIndex, change) => {
        const kind = { ...usual, ...kinds.get(participantIndex), ...change };
        kinds.set(participantIndex, kind);
        // The last request wins, regardless of rendering times.
        const show = (video: VideoLoop | null): void => {
          if (video !== null && kinds.get(participantIndex) === kind) broadcast.setVideo(participantIndex, video);
        };
        void videoOf(participantIndex, kind)
          .then(show)
          .catch(() => undefined);
      },
    });
    await mixPresent();
    const received = new ReceivedFromBrowsers(this.#clock.now);
    return {
      room,
      options,
      participants,
      schedule,
      broadcast,
      received,
      ...this.#happenings(room, broadcast, options),
    };
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
      new Timetable(this.#clock, plannedEvents(options), (event) => void happen(room, event)),
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

/** Renders planned changes of the video now, so that they are ready in time. */
async function renderPlanned(
  options: RoomOptions,
  participants: number,
  render: (participantIndex: number, change: Partial<VideoKind>) => Promise<unknown>,
): Promise<void> {
  const soFar = new Map<number, Partial<VideoKind>>();
  for (const { what } of options.events) {
    if (what.do !== 'change-video') continue;
    const { participant, codec, size } = what;
    for (const index of participant === undefined
      ? Array.from({ length: participants }, (_, each) => each)
      : [participant]) {
      const change = { ...soFar.get(index), ...(codec && { codec }), ...(size && { size }) };
      soFar.set(index, change);
      await render(index, change);
    }
  }
}

/** Renders planned shared screens now: a busy machine takes a minute for one, and the page shows none until then. */
async function renderPlannedScreens(
  options: RoomOptions,
  render: (participantIndex: number) => Promise<unknown>,
): Promise<void> {
  for (const { what } of plannedEvents(options)) if (what.do === 'share-screen') await render(what.participant);
}

function describeFault({ kind, ...details }: Fault): string {
  return [kind, ...Object.entries(details).map(([name, value]) => `${name}=${String(value)}`)].join(' ');
}

function plannedEvents(options: RoomOptions): Planned<RoomEvent>[] {
  return [...options.events, ...variantEvents(options)];
}

/** The effect of a variant on participants. */
function variantEvents({ platform, meet }: RoomOptions): Planned<RoomEvent>[] {
  if (platform !== 'meet' || meet.screenShare === 'none') return [];
  const what = { do: 'share-screen', participant: 0 } as const;
  if (meet.screenShare === 'from-start') return [{ atSecond: 0, on: undefined, afterSeconds: 0, what }];
  return [{ atSecond: undefined, on: 'admitted', afterSeconds: 4, what }];
}
