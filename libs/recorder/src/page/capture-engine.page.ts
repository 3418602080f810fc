import type { PictureWayName, SoundWayName } from '@rapporteur/contracts';
import { chunkKinds } from './chunk-kinds.page.ts';
import { GalleryPicture } from './gallery-picture.page.ts';
import { MediaTime } from './media-time.page.ts';
import type { Base64Bytes, Transformer } from './chromium-media.ts';
import { EncodedPicture } from './encoded-picture.page.ts';
import { EncodedTap } from './encoded-tap.page.ts';
import type {
  CaptureBatch,
  CaptureStats,
  ChunkHeader,
  EngineCommand,
  EngineEvent,
  EngineSigns,
  SoundPerson,
  WayTurn,
} from './messages.ts';
import type { PictureWay } from './picture-way.page.ts';
import type { TappedBlock } from './sound-tap.page.ts';
import { SoundTap, tappedBlockMs } from './sound-tap.page.ts';
import { noPictureCounts } from './picture-way.page.ts';
import { PictureWays } from './picture-ways.page.ts';
import { TracksPicture } from './tracks-picture.page.ts';
import { SoundCapture } from './sound-capture.page.ts';

const tickMs = 100;
/** Each batch costs two messages between three processes, however small it is. */
const ticksPerBatch = 5;
/** Who listens along waits for batches. */
const ticksPerTappedBatch = 2;
/** The page judges by them whether pictures come. */
const ticksPerSigns = 2;
/** Characters of batches on their way to the recorder: above this, pictures are given up until it drains. */
const onTheWayMax = 12_000_000;
/** Above this, what is only listened along is given up. */
const tappedOnTheWayMax = 2_000_000;

/** A mix below this is silence. */
const silencePeak = 0.0005;

/** Captures, encodes and batches. Runs in a worker, or in the page itself where the page forbids workers. */
export class CaptureEngine {
  readonly #post: (event: EngineEvent) => void;
  #time: MediaTime | null = null;
  /** Null where no picture is recorded. */
  #pictures: PictureWays | null = null;
  #tracks: TracksPicture | null = null;
  #gallery: GalleryPicture | null = null;
  #encoded: EncodedPicture | null = null;
  readonly #taps = new Map<string, EncodedTap>();
  #sound: SoundCapture | null = null;
  #tap: SoundTap | null = null;
  #tappedDropped = 0;
  #timer: ReturnType<typeof setInterval> | null = null;
  readonly #originMs = performance.timeOrigin;
  #run = 0;
  #ticks = 0;
  #sequence = 0;
  #pauses = 0;
  #onTheWay = 0;
  /** Media time up to which sound was handed over. */
  #reachedMs = 0;
  #lastError: string | null = null;
  #headers: ChunkHeader[] = [];
  #parts: Uint8Array[] = [];
  #people: SoundPerson[] = [];
  #turns: (WayTurn & { readonly atMs: number })[] = [];
  #goesOn: CaptureBatch['goesOn'] | null = null;
  #loudAtMs: number | null = null;
  #audioDescription: string | null = null;
  #videoDescriptions: [beforeChunk: number, description: string][] = [];

  constructor(post: (event: EngineEvent) => void) {
    this.#post = post;
  }

  handle(command: EngineCommand): void {
    if (command.kind === 'start') this.#start(command);
    else if (command.kind === 'sound') this.#sound?.addTrack(command.id, command.frames);
    else if (command.kind === 'sound-gone') this.#sound?.removeTrack(command.id);
    else if (command.kind === 'sound-owners') this.#sound?.hearOwners(command);
    else if (command.kind === 'picture') this.#tracks?.show(command.frames);
    else if (command.kind === 'tiles') this.#gallery?.seat(command.view);
    else if (command.kind === 'tile-picture') this.#gallery?.show(command.id, command.frames);
    else if (command.kind === 'encoded-shown') this.#encoded?.show(command.id);
    else if (command.kind === 'encoded-delay') this.#encoded?.hear(command.delayMs);
    else if (command.kind === 'encoded-pass') this.#encoded?.pass(command.untilMs);
    else if (command.kind === 'encoded-gone') this.#forgetTap(command.id);
    else if (command.kind === 'turn') this.#turn(command.turn);
    else if (command.kind === 'pause') void this.#pause();
    else if (command.kind === 'taken') this.#onTheWay -= command.characters;
    else if (command.kind === 'note') this.#lastError = command.error;
    else if (command.kind === 'resume') this.#resume();
    else if (command.kind === 'stop') void this.#stop(command.atMs);
  }

  /** Encoded frames of the page come here from now on, and pass through until they are wanted. */
  takeTransformer(transformer: Transformer): void {
    const { id } = transformer.options as { readonly id: string };
    const tap = new EncodedTap(transformer);
    this.#taps.get(id)?.close();
    this.#taps.set(id, tap);
    this.#encoded?.tap(id, tap);
  }

  #forgetTap(id: string): void {
    this.#taps.get(id)?.close();
    this.#taps.delete(id);
    this.#encoded?.untap(id);
  }

  #start(command: Extract<EngineCommand, { kind: 'start' }>): void {
    const { config, run, continuation } = command.start;
    const { sequence, goesOnIn } = command;
    const time = new MediaTime(command.beginsAtMs, continuation);
    const now = (): number => this.#now();
    const report = (error: unknown): void => {
      this.#lastError = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    };
    this.#run = run;
    this.#sequence = sequence;
    this.#reachedMs = continuation?.recordedMs ?? 0;
    this.#goesOn = goesOnIn === null ? null : { atMs: time.beginsMs, thread: goesOnIn };
    this.#time = time;
    this.#tap = config.soundTapHz === null ? null : new SoundTap(config.soundTapHz);
    this.#sound = new SoundCapture(
      {
        now,
        report,
        tap: this.#tap,
        deliverPerson: config.personSound
          ? ({ person, timeUs, durationUs, isSpoken, bytes }) =>
              this.#add(
                [chunkKinds[isSpoken ? 'spoken' : 'unspoken'], timeUs, durationUs, this.#placeOf(person), bytes.length],
                bytes,
              )
          : null,
        deliver: (timeUs, durationUs, bytes) => this.#add([chunkKinds.mix, timeUs, durationUs, 1, bytes.length], bytes),
        describe: (description) => (this.#audioDescription = base64(description)),
      },
      time,
      config.audioBitsPerSecond,
    );
    if (config.mode !== 'audio_only') {
      this.#pictures = new PictureWays({
        deliver: (timeUs, key, bytes) => this.#add([chunkKinds.picture, timeUs, 0, key ? 1 : 0, bytes.length], bytes),
        describe: (description) => this.#videoDescriptions.push([this.#headers.length, base64(description)]),
      });
      const congested = (): boolean => this.#onTheWay > onTheWayMax;
      const ended = (): void => this.#post({ kind: 'picture-ended' });
      this.#tracks = this.#pictures.add(
        (door) => new TracksPicture({ now, report, congested, ended, ...door }, time, config),
      );
      if (config.mode === 'speaker_view') {
        const refused = (id: string, reason: string | null): void =>
          this.#post({ kind: 'encoded-refused', id, reason });
        const passing = (id: string): void => this.#post({ kind: 'encoded-passing', id });
        this.#encoded = this.#pictures.add(
          (door) => new EncodedPicture({ now, report, congested, refused, passing, ...door }, time, config),
        );
        for (const [id, tap] of this.#taps) this.#encoded.tap(id, tap);
      }
      if (config.mode === 'gallery_view') {
        const tileEnded = (id: string): void => this.#post({ kind: 'tile-picture-ended', id });
        this.#gallery = this.#pictures.add(
          (door) => new GalleryPicture({ now, report, congested, ended: tileEnded, ...door }, time, config),
        );
      }
    }
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  #turn(turn: WayTurn): void {
    const atMs = this.#time?.reached(this.#now()) ?? 0;
    if (turn.from !== turn.to) this.#turns.push({ ...turn, atMs });
    if (turn.part === 'picture' && (turn.from === 'tab' || turn.to === 'tab')) this.#tracks?.changeSource();
    const way = turn.part === 'picture' ? this.#wayOf(turn.to) : null;
    // Encoded pictures begin when their sender gives one that stands alone: until then the track is taken.
    if (turn.to === 'encoded' && this.#tracks && !this.#pictures?.current) this.#pictures?.turnTo(this.#tracks);
    if (way) this.#pictures?.turnTo(way);
  }

  #wayOf(name: PictureWayName | SoundWayName): PictureWay | null {
    if (name === 'encoded') return this.#encoded;
    return name === 'tracks' ? (this.#gallery ?? this.#tracks) : this.#tracks;
  }

  async #pause(): Promise<void> {
    const time = this.#time;
    if (!time) return;
    const pause = (this.#pauses += 1);
    const atMs = time.pause(this.#now());
    const mediaMs = time.reached(atMs);
    this.#post({ kind: 'paused', atMs });
    const settled = await Promise.allSettled([this.#sound?.pause(mediaMs), this.#pictures?.settle()]);
    for (const result of settled) if (result.status === 'rejected') this.#lastError = String(result.reason);
    // Resumed, ended or paused anew meanwhile: then more may follow, and this is no place to cut.
    if (this.#timer === null || !time.paused || pause !== this.#pauses) return;
    this.#tap?.flush();
    this.#send({ pausedMs: mediaMs });
  }

  #resume(): void {
    const time = this.#time;
    if (!time) return;
    const atMs = time.resume(this.#now());
    this.#sound?.resume();
    this.#pictures?.wantKey();
    this.#post({ kind: 'resumed', atMs });
  }

  #now(): number {
    return this.#originMs + performance.now();
  }

  #tick(): void {
    try {
      this.#pictures?.tick();
      this.#sound?.tick();
    } catch (error) {
      this.#lastError = String(error);
    }
    this.#ticks += 1;
    if (this.#ticks % (this.#tap ? ticksPerTappedBatch : ticksPerBatch) === 0) this.#send();
    else if (this.#pictures && this.#ticks % ticksPerSigns === 0)
      this.#post({ kind: 'signs', signs: this.#signs(this.#stats()) });
  }

  async #stop(atMs: number): Promise<void> {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    const endMs = this.#time?.reached(atMs) ?? 0;
    const finished = await Promise.allSettled([this.#pictures?.finish(endMs), this.#sound?.finish(endMs)]);
    for (const result of finished) if (result.status === 'rejected') this.#lastError = String(result.reason);
    this.#tap?.flush();
    this.#send({ endMs });
    this.#post({ kind: 'stopped' });
  }

  /** Among those whose sound is in the open batch. */
  #placeOf(person: SoundPerson): number {
    const known = this.#people.findIndex(({ personId }) => personId === person.personId);
    return known === -1 ? this.#people.push(person) - 1 : known;
  }

  #add(header: ChunkHeader, bytes: Uint8Array): void {
    this.#headers.push(header);
    this.#parts.push(bytes);
  }

  #send(place: Pick<CaptureBatch, 'pausedMs' | 'endMs'> = {}): void {
    const batch: CaptureBatch = {
      run: this.#run,
      sequence: this.#sequence,
      ...(this.#videoDescriptions.length === 0 ? {} : { videoDescriptions: this.#videoDescriptions }),
      ...(this.#audioDescription === null ? {} : { audioDescription: this.#audioDescription }),
      ...(this.#people.length === 0 ? {} : { people: this.#people }),
      ...(this.#turns.length === 0 ? {} : { turns: this.#turns }),
      ...(this.#goesOn ? { goesOn: this.#goesOn } : {}),
      chunks: this.#headers,
      data: base64(joined(this.#parts)),
      stats: this.#stats(),
      ...this.#tapped(),
      ...place,
    };
    this.#sequence += 1;
    this.#videoDescriptions = [];
    this.#audioDescription = null;
    this.#people = [];
    this.#turns = [];
    this.#goesOn = null;
    this.#headers = [];
    this.#parts = [];
    this.#reachedMs = this.#sound?.reachedMs ?? 0;
    const text = JSON.stringify(batch);
    this.#onTheWay += text.length;
    this.#post({ kind: 'batch', text, signs: this.#signs(batch.stats) });
  }

  #signs(stats: CaptureStats): EngineSigns {
    if (stats.soundPeak > silencePeak) this.#loudAtMs = this.#now();
    const tracks = this.#pictures?.wanted === this.#tracks ? this.#tracks : null;
    return {
      reachedMs: this.#reachedMs,
      nextSequence: this.#sequence,
      shownFrameAtMs: stats.shownFrameAtMs,
      shownFrames: this.#shownFrames(stats),
      blackSinceMs: tracks?.blackSinceMs ?? null,
      loudAtMs: this.#loudAtMs,
    };
  }

  /** Of the way that is to deliver: another goes on until it does. */
  #shownFrames(stats: CaptureStats): number {
    const wanted = this.#pictures?.wanted ?? null;
    const way = [this.#tracks, this.#encoded].find((one) => one !== null && one === wanted);
    return way?.shownFrames ?? stats.framesReceived;
  }

  #tapped(): Pick<CaptureBatch, 'tapped'> {
    const [tap, time] = [this.#tap, this.#time];
    if (!tap || !time) return {};
    const whole = tap.take();
    const congested = this.#onTheWay > tappedOnTheWayMax;
    if (congested) this.#tappedDropped += whole.length;
    const blocks = congested ? [] : whole;
    // By its end: what the mix still held when a pause began goes with what comes after it.
    const startMs = (mediaMs: number): number => time.pageTimeOf(mediaMs + tappedBlockMs) - tappedBlockMs;
    const told = ({ mediaMs, bytes }: TappedBlock) => [startMs(mediaMs), base64(bytes)] as const;
    return { tapped: { blocks: blocks.map(told), dropped: this.#tappedDropped } };
  }

  #stats(): CaptureStats {
    const counts = this.#pictures?.counts() ?? noPictureCounts();
    const level = this.#sound?.level();
    const persons = this.#sound?.personFigures;
    return {
      framesReceived: counts.received,
      framesEncoded: counts.encoded,
      framesRepeated: counts.repeated,
      framesOverRate: counts.overRate,
      framesUnrecorded: counts.unrecorded,
      framesDropped: counts.dropped,
      pictureSwitches: counts.switches,
      shownFrameAtMs: this.#pictures?.shownFrameAtMs ?? null,
      encoderRestarts: counts.restarts + (this.#sound?.restarts ?? 0),
      soundTracks: this.#sound?.tracks ?? 0,
      lastSoundDataAtMs: this.#sound?.lastDataAtMs ?? null,
      soundJumps: this.#sound?.jumps ?? 0,
      soundLateMs: this.#sound?.lateMs ?? 0,
      soundPeak: level?.peak ?? 0,
      soundRms: level?.rms ?? 0,
      soundOwnersTold: persons?.told ?? 0,
      soundSharedMs: persons?.sharedMs ?? 0,
      soundUnownedMs: persons?.unownedMs ?? 0,
      lastError: this.#lastError,
    };
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function base64(bytes: Uint8Array): string {
  const native = (bytes as Uint8Array & Base64Bytes).toBase64?.();
  if (native !== undefined) return native;
  const step = 0x8000;
  let text = '';
  for (let at = 0; at < bytes.length; at += step) text += String.fromCharCode(...bytes.subarray(at, at + step));
  return btoa(text);
}
