import type {
  AudioImpairment,
  AudioStrategyName,
  DegradationStep,
  MissingVideoReason,
  VideoStrategyName,
} from '@rapporteur/contracts';
import { exactPageNow } from '@rapporteur/page-scripts/page-time';
import { chunkKinds } from './chunk-kinds.page.ts';
import { Degradation } from './load/degradation.page.ts';
import { LostAudio } from './load/lost-audio.page.ts';
import type { LoadLimits } from './load/degradation.page.ts';
import { GalleryVideo } from './strategies/gallery-video.page.ts';
import { MediaTime } from './media-time.page.ts';
import type { Base64Bytes } from './chromium-media.ts';
import type {
  CaptureBatch,
  CaptureStats,
  ChunkHeader,
  EngineCommand,
  EngineEvent,
  EngineSigns,
  AudioOwner,
  EngineSwitch,
  PlayedAudio,
  ReasonSpan,
} from './messages.ts';
import { noVideoCounts } from './strategies/video-strategy.page.ts';
import type { VideoStrategy } from './strategies/video-strategy.page.ts';
import { AudioTap, tappedBlockMs } from './mixer/audio-tap.page.ts';
import type { TappedBlock } from './mixer/audio-tap.page.ts';
import { VideoStrategies } from './strategies/video-strategies.page.ts';
import { TracksVideo } from './strategies/tracks-video.page.ts';
import { AudioCapture } from './audio-capture.page.ts';
import { mixBlock, silence } from './mixer/audio-mix.page.ts';
import { samplesInUs } from './encoder/opus-encoding.page.ts';

/** A shorter one is the usual time to the first frame of a video. */
const shortestMs = 1_000;

/** Joins observations of something missing to spans of media time. */
export class MissingSpans<Reason extends string> {
  #open: { readonly startMs: number; readonly reason: Reason } | null = null;
  #last: ReasonSpan<Reason> | null = null;
  #closed: ReasonSpan<Reason>[] = [];

  /**
   * Call it about ten times a second.
   * @param missing since when, in media time; null: nothing is missing
   */
  observe(missing: { readonly sinceMs: number; readonly reason: Reason } | null, reachedMs: number): void {
    const open = this.#open;
    if (missing !== null) {
      const { sinceMs, reason } = missing;
      // It had only been observed no more, for instance by a busy page: no frame has come since the last span.
      const same = this.#last !== null && sinceMs < this.#last.endMs ? this.#last : null;
      this.#open ??= same ?? { startMs: Math.min(reachedMs, sinceMs), reason };
    } else if (open !== null) {
      this.#closed.push(...this.#running(reachedMs));
      this.#last = { ...open, endMs: reachedMs };
      this.#open = null;
    }
  }

  /** The spans since the last call; one that is still open ends at `reachedMs` so far. */
  take(reachedMs: number): ReasonSpan<Reason>[] {
    const spans = [...this.#closed, ...this.#running(reachedMs)];
    this.#closed = [];
    return spans;
  }

  #running(reachedMs: number): ReasonSpan<Reason>[] {
    const long = this.#open !== null && reachedMs - this.#open.startMs >= shortestMs;
    return long && this.#open ? [{ ...this.#open, endMs: reachedMs }] : [];
  }
}

const tickMs = 100;
/** Each batch costs two messages between three processes, however small it is. */
const ticksPerBatch = 5;
/** A tap needs shorter batches. */
const ticksPerTappedBatch = 2;
/** The page evaluates the arrival of frames by them. */
const ticksPerSigns = 2;
/** Characters of batches in transit to the recorder: above this, frames are dropped until it drains. */
const inTransitMax = 12_000_000;
/** Above this, tapped audio is dropped. */
const tappedInTransitMax = 2_000_000;

/** A batch that lacks audio counts as this lateness: audio has threads of its own, which a CPU limit stops as well. */
const lostAudioLateMs = 100;

/** Captures, encodes and batches. Runs in a worker, or in the page itself where the page forbids workers. */
export class CaptureEngine {
  readonly #post: (event: EngineEvent) => void;
  #time: MediaTime | null = null;
  /** Null where no video is recorded. */
  #frames: VideoStrategies | null = null;
  #tracks: TracksVideo | null = null;
  #gallery: GalleryVideo | null = null;
  #audio: AudioCapture | null = null;
  #tap: AudioTap | null = null;
  #tappedDropped = 0;
  #timer: ReturnType<typeof setInterval> | null = null;
  #run = 0;
  #ticks = 0;
  #sequence = 0;
  #pauses = 0;
  #inTransit = 0;
  /** Media time up to which audio was handed over. */
  #reachedMs = 0;
  #lastError: string | null = null;
  #headers: ChunkHeader[] = [];
  #parts: Uint8Array[] = [];
  #participants: AudioOwner[] = [];
  #switches: (EngineSwitch & { readonly atMs: number })[] = [];
  #continued: CaptureBatch['continued'] | null = null;
  readonly #missing = new MissingSpans<MissingVideoReason>();
  readonly #degraded = new MissingSpans<DegradationStep>();
  readonly #degradation = new Degradation();
  #tickedAtMs: number | null = null;
  #pageLateMs = 0;
  #played: PlayedAudio = { sinceMs: 0, impairment: null };
  readonly #audioImpaired = new MissingSpans<AudioImpairment>();
  readonly #lateAudio = new MissingSpans<AudioImpairment>();
  readonly #lostAudio = new LostAudio();
  /** According to the page. */
  #missingReason: MissingVideoReason | null = null;
  #loudAtMs: number | null = null;
  #audioDescription: string | null = null;
  #videoDescriptions: [beforeChunk: number, description: string][] = [];

  constructor(post: (event: EngineEvent) => void) {
    this.#post = post;
  }

  handle(command: EngineCommand): void {
    if (command.kind === 'start') this.#start(command);
    else if (command.kind === 'audio') this.#audio?.addTrack(command.id, command.frames);
    else if (command.kind === 'audio-gone') this.#audio?.removeTrack(command.id);
    else if (command.kind === 'audio-owners') this.#audio?.applyOwners(command);
    else if (command.kind === 'video') this.#tracks?.show(command.frames);
    else if (command.kind === 'tiles') this.#gallery?.seat(command.view);
    else if (command.kind === 'tile-video') this.#gallery?.show(command.id, command.frames);
    else if (command.kind === 'switch') this.#applySwitch(command.strategySwitch);
    else if (command.kind === 'video-missing') this.#setMissingReason(command.reason);
    else if (command.kind === 'pause') void this.#pause();
    else if (command.kind === 'taken') this.#inTransit -= command.characters;
    else if (command.kind === 'page-load') this.#observePage(command);
    else if (command.kind === 'note') this.#lastError = command.error;
    else if (command.kind === 'resume') this.#resume();
    else if (command.kind === 'stop') void this.#stop(command.atMs);
  }

  #start(command: Extract<EngineCommand, { kind: 'start' }>): void {
    const { config, run, continuation } = command.start;
    const { sequence, continuesIn } = command;
    const time = new MediaTime(command.beginsAtMs, continuation);
    const now = exactPageNow;
    const report = (error: unknown): void => {
      this.#lastError = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    };
    this.#run = run;
    this.#sequence = sequence;
    this.#reachedMs = continuation?.recordedMs ?? 0;
    this.#continued = continuesIn === null ? null : { atMs: time.beginsMs, thread: continuesIn };
    this.#time = time;
    this.#tap = config.audioTapHz === null ? null : new AudioTap(config.audioTapHz);
    this.#audio = new AudioCapture(
      {
        now,
        report,
        tap: this.#tap,
        deliverParticipant: config.participantAudio
          ? ({ participant, position, isSpoken }, bytes) => {
              const kind = chunkKinds[isSpoken ? 'spoken' : 'unspoken'];
              const times = [samplesInUs(position), samplesInUs(mixBlock)] as const;
              this.#add([kind, ...times, this.#placeOf(participant), bytes.length], bytes);
            }
          : null,
        deliver: (timeUs, durationUs, bytes) => this.#add([chunkKinds.mix, timeUs, durationUs, 1, bytes.length], bytes),
        describe: (description) => (this.#audioDescription = base64(description)),
      },
      time,
      config.audioBitsPerSecond,
    );
    if (config.mode !== 'audio_only') {
      this.#frames = new VideoStrategies({
        deliver: (timeUs, key, bytes) => this.#add([chunkKinds.video, timeUs, 0, key ? 1 : 0, bytes.length], bytes),
        describe: (description) => this.#videoDescriptions.push([this.#headers.length, base64(description)]),
      });
      const congested = (): boolean => this.#inTransit > inTransitMax;
      const limits = (): LoadLimits => this.#degradation.limits;
      const ended = (): void => this.#post({ kind: 'video-ended' });
      this.#tracks = this.#frames.add(
        (outlet) => new TracksVideo({ now, report, congested, limits, ended, ...outlet }, time, config),
      );
      if (config.mode === 'gallery_view') {
        const tileEnded = (id: string): void => this.#post({ kind: 'tile-video-ended', id });
        this.#gallery = this.#frames.add(
          (outlet) => new GalleryVideo({ now, report, congested, limits, ended: tileEnded, ...outlet }, time, config),
        );
      }
    }
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  #applySwitch(strategySwitch: EngineSwitch): void {
    const atMs = this.#time?.reached(exactPageNow()) ?? 0;
    if (strategySwitch.from !== strategySwitch.to) this.#switches.push({ ...strategySwitch, atMs });
    if (strategySwitch.media === 'video' && (strategySwitch.from === 'tab' || strategySwitch.to === 'tab'))
      this.#tracks?.changeSource();
    const strategy = strategySwitch.media === 'video' ? this.#strategyOf(strategySwitch.to) : null;
    if (strategy) this.#frames?.switchTo(strategy);
  }

  #strategyOf(name: VideoStrategyName | AudioStrategyName): VideoStrategy | null {
    return name === 'tracks' ? (this.#gallery ?? this.#tracks) : this.#tracks;
  }

  async #pause(): Promise<void> {
    const time = this.#time;
    if (!time) return;
    const pause = (this.#pauses += 1);
    const atMs = time.pause(exactPageNow());
    const mediaMs = time.reached(atMs);
    this.#post({ kind: 'paused', atMs });
    const settled = await Promise.allSettled([this.#audio?.pause(mediaMs), this.#frames?.settle()]);
    for (const result of settled) if (result.status === 'rejected') this.#lastError = String(result.reason);
    // Resumed, ended or paused again meanwhile: more may follow, so nothing is cut here.
    if (this.#timer === null || !time.paused || pause !== this.#pauses) return;
    this.#tap?.flush();
    this.#send({ pausedMs: mediaMs });
  }

  #resume(): void {
    const time = this.#time;
    if (!time) return;
    const atMs = time.resume(exactPageNow());
    this.#audio?.resume();
    this.#frames?.wantKey();
    this.#post({ kind: 'resumed', atMs });
  }

  #tick(): void {
    try {
      this.#observeLoad(exactPageNow());
      this.#frames?.tick();
      this.#audio?.tick();
      this.#observeMissing();
    } catch (error) {
      this.#lastError = String(error);
    }
    this.#ticks += 1;
    if (this.#ticks % (this.#tap ? ticksPerTappedBatch : ticksPerBatch) === 0) this.#send();
    else if (this.#frames && this.#ticks % ticksPerSigns === 0)
      this.#post({ kind: 'signs', signs: this.#signs(this.#stats()) });
  }

  /** Without video there is nothing to give up. */
  #observeLoad(nowMs: number): void {
    const ownLateMs = nowMs - (this.#tickedAtMs ?? nowMs) - tickMs;
    const lateMs = Math.max(this.#lostAudio.isLost ? lostAudioLateMs : 0, ownLateMs, this.#pageLateMs);
    this.#tickedAtMs = nowMs;
    const isImpaired = this.#played.impairment !== null || this.#lostAudio.isLost;
    const [frames, time] = [this.#frames, this.#time];
    if (!this.#degradation.observe(lateMs, nowMs, isImpaired) || !frames || !time) return;
    const { step } = this.#degradation;
    const atMs = time.reached(nowMs);
    this.#degraded.observe(null, atMs);
    if (step !== null) this.#degraded.observe({ sinceMs: atMs, reason: step }, atMs);
  }

  /** For each batch. */
  #observeAudio(reachedMs: number): void {
    if (this.#audio) this.#lostAudio.observe(this.#audio, this.#degradation.isBusy);
    const sinceMs = Math.max(0, reachedMs - shortestMs);
    this.#lateAudio.observe(this.#lostAudio.isLost ? { sinceMs, reason: 'late' } : null, reachedMs);
  }

  #observePage({ lateMs, played }: { readonly lateMs: number; readonly played: PlayedAudio }): void {
    const { sinceMs, impairment } = played;
    const isNew = sinceMs !== this.#played.sinceMs;
    this.#pageLateMs = lateMs;
    this.#played = played;
    if (!isNew || !this.#time) return;
    const atMs = this.#time.reached(sinceMs);
    this.#audioImpaired.observe(null, atMs);
    if (impairment !== null) this.#audioImpaired.observe({ sinceMs: atMs, reason: impairment }, atMs);
  }

  /** At once: the commands that follow may request the video again. */
  #setMissingReason(reason: MissingVideoReason | null): void {
    this.#missingReason = reason;
    this.#observeMissing();
  }

  #observeMissing(): void {
    const [time, wanted, nowMs] = [this.#time, this.#frames?.wanted, exactPageNow()];
    if (!time || !wanted) return;
    const { missingSinceMs: awaitedSinceMs, shownFrameAtMs } = wanted;
    const reason = awaitedSinceMs === null ? this.#missingReason : 'no_frames';
    const blackSinceMs = reason === 'black' ? this.#tracks?.blackSinceMs : null;
    const stalledSinceMs = reason === 'no_frames' ? shownFrameAtMs : null;
    const sinceMs = time.reached(awaitedSinceMs ?? stalledSinceMs ?? blackSinceMs ?? nowMs);
    this.#missing.observe(reason === null ? null : { sinceMs, reason }, time.reached(nowMs));
  }

  async #stop(atMs: number): Promise<void> {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    const endMs = this.#time?.reached(atMs) ?? 0;
    const finished = await Promise.allSettled([this.#frames?.finish(endMs), this.#audio?.finish(endMs)]);
    for (const result of finished) if (result.status === 'rejected') this.#lastError = String(result.reason);
    this.#tap?.flush();
    this.#send({ endMs });
    this.#post({ kind: 'stopped' });
  }

  /** Index of the participant in the open batch. */
  #placeOf(participant: AudioOwner): number {
    const known = this.#participants.findIndex(({ participantId }) => participantId === participant.participantId);
    return known === -1 ? this.#participants.push(participant) - 1 : known;
  }

  #add(header: ChunkHeader, bytes: Uint8Array): void {
    this.#headers.push(header);
    this.#parts.push(bytes);
  }

  #send(place: Pick<CaptureBatch, 'pausedMs' | 'endMs'> = {}): void {
    const reachedMs = this.#time?.reached(exactPageNow()) ?? 0;
    const videoMissing = this.#missing.take(reachedMs);
    const degradations = this.#frames === null ? [] : this.#degraded.take(reachedMs);
    this.#observeAudio(reachedMs);
    const audioImpaired = [...this.#audioImpaired.take(reachedMs), ...this.#lateAudio.take(reachedMs)];
    const batch: CaptureBatch = {
      run: this.#run,
      sequence: this.#sequence,
      ...(this.#videoDescriptions.length === 0 ? {} : { videoDescriptions: this.#videoDescriptions }),
      ...(this.#audioDescription === null ? {} : { audioDescription: this.#audioDescription }),
      ...(this.#participants.length === 0 ? {} : { participants: this.#participants }),
      ...(this.#switches.length === 0 ? {} : { switches: this.#switches }),
      ...(videoMissing.length === 0 ? {} : { videoMissing }),
      ...(degradations.length === 0 ? {} : { degradations }),
      ...(audioImpaired.length === 0 ? {} : { audioImpaired }),
      ...(this.#degradation.isLate ? { late: true } : {}),
      ...(this.#continued ? { continued: this.#continued } : {}),
      chunks: this.#headers,
      data: base64(joined(this.#parts)),
      stats: this.#stats(),
      ...this.#tapped(),
      ...place,
    };
    this.#sequence += 1;
    this.#videoDescriptions = [];
    this.#audioDescription = null;
    this.#participants = [];
    this.#switches = [];
    this.#continued = null;
    this.#headers = [];
    this.#parts = [];
    this.#reachedMs = this.#audio?.reachedMs ?? 0;
    const text = JSON.stringify(batch);
    this.#inTransit += text.length;
    this.#post({ kind: 'batch', text, signs: this.#signs(batch.stats) });
  }

  #signs(stats: CaptureStats): EngineSigns {
    if (stats.audioPeak > silence) this.#loudAtMs = exactPageNow();
    const tracks = this.#frames?.wanted === this.#tracks ? this.#tracks : null;
    return {
      reachedMs: this.#reachedMs,
      nextSequence: this.#sequence,
      shownFrameAtMs: this.#frames?.shownFrameAtMs ?? null,
      shownFrames: this.#shownFrames(stats),
      blackSinceMs: tracks?.blackSinceMs ?? null,
      loudAtMs: this.#loudAtMs,
      degraded: stats.degraded,
    };
  }

  /** The frames of the strategy that is to deliver: another one delivers until then. */
  #shownFrames(stats: CaptureStats): number {
    const tracks = this.#frames?.wanted === this.#tracks ? this.#tracks : null;
    return tracks?.shownFrames ?? stats.framesReceived;
  }

  #tapped(): Pick<CaptureBatch, 'tapped'> {
    const [tap, time] = [this.#tap, this.#time];
    if (!tap || !time) return {};
    const whole = tap.take();
    const congested = this.#inTransit > tappedInTransitMax;
    if (congested) this.#tappedDropped += whole.length;
    const blocks = congested ? [] : whole;
    // A block is placed by its end: samples in the mix at the beginning of a pause are part of the next block.
    const startMs = (mediaMs: number): number => time.pageTimeOf(mediaMs + tappedBlockMs) - tappedBlockMs;
    const reported = ({ mediaMs, bytes }: TappedBlock) => [startMs(mediaMs), base64(bytes)] as const;
    return { tapped: { blocks: blocks.map(reported), dropped: this.#tappedDropped } };
  }

  #stats(): CaptureStats {
    const counts = this.#frames?.counts() ?? noVideoCounts();
    const level = this.#audio?.level();
    const recordedParticipants = this.#audio?.participantFigures;
    return {
      framesReceived: counts.received,
      framesEncoded: counts.encoded,
      framesRepeated: counts.repeated,
      framesSkippedByRateLimit: counts.skippedByRateLimit,
      framesUnrecorded: counts.unrecorded,
      framesDropped: counts.dropped,
      videoSwitches: counts.switches,
      encoderRestarts: counts.restarts + (this.#audio?.restarts ?? 0),
      audioTracks: this.#audio?.tracks ?? 0,
      lastAudioDataAtMs: this.#audio?.lastDataAtMs ?? null,
      audioDiscontinuities: this.#audio?.jumps ?? 0,
      lateAudioMs: this.#audio?.lateMs ?? 0,
      audioPeak: level?.peak ?? 0,
      audioRms: level?.rms ?? 0,
      audioOwnersReported: recordedParticipants?.reported ?? 0,
      audioSharedMs: recordedParticipants?.sharedMs ?? 0,
      audioUnownedMs: recordedParticipants?.unownedMs ?? 0,
      degraded: this.#frames === null ? null : this.#degradation.step,
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
