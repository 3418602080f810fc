import type {
  MissingVideoReason,
  PageMediaSource,
  PageVideo,
  VideoStrategyName,
  AudioStrategyName,
  StrategyReason,
} from '@rapporteur/contracts';
import { GalleryFollower } from '../sources/gallery-follower.page.ts';
import type { CaptureConfig, EngineCommand, EngineSigns } from '../messages.ts';
import { PageInspector } from '../sources/page-inspector.page.ts';
import { AudioFollow } from '../sources/audio-follow.page.ts';
import type { TabCapture } from '../sources/tab-capture.page.ts';
import { framesOf } from '../sources/track-frames.page.ts';
import { AudioChooser } from './audio-strategies.page.ts';
import type { AudioStep } from './audio-strategies.page.ts';
import { StrategyChooser } from './strategies.page.ts';
import type { VideoSigns, VideoSwitch } from './strategies.page.ts';

/** Samples are taken about four times a second. The time between two of them counts as no more than this. */
const pollMaxMs = 500;
/** Signals arrive five times a second: each accounts for a little more than its own time. */
const signalMs = 250;
const lossesKept = 32;

/**
 * A clock for deadlines of a source that is observed by signals: it advances only by time for which signals arrived,
 * and stops while no sample is taken. On an overloaded machine frames, timers and signals are late together, without a
 * fault of the source.
 */
export class ObservedTime {
  #sampledAtMs: number | null = null;
  /** Times of the omissions, and the sum omitted before each. */
  readonly #losses: { readonly fromMs: number; readonly lostMs: number }[] = [];
  #lostMs = 0;
  /** Time claimed by signals that has not passed yet, because they arrive unevenly. */
  #accountedMs = 0;

  /**
   * @param signals number of signals since the sample before
   * @returns the time of this clock, ms
   */
  sample(nowMs: number, signals: number): number {
    const fromMs = this.#sampledAtMs ?? nowMs;
    this.#accountedMs = Math.min(pollMaxMs, this.#accountedMs + signals * signalMs);
    const passedMs = Math.min(nowMs - fromMs, this.#accountedMs);
    const lostMs = nowMs - fromMs - passedMs;
    this.#accountedMs -= passedMs;
    this.#sampledAtMs = nowMs;
    if (lostMs > 0) {
      this.#losses.push({ fromMs, lostMs: this.#lostMs });
      if (this.#losses.length > lossesKept) this.#losses.shift();
      this.#lostMs += lostMs;
    }
    return nowMs - this.#lostMs;
  }

  /** The time of this clock at an earlier page time, ms. */
  at(pastMs: number): number {
    const later = this.#losses.find(({ fromMs }) => pastMs <= fromMs);
    const lostMs = later === undefined ? this.#lostMs : later.lostMs;
    return Math.min(pastMs - lostMs, (this.#sampledAtMs ?? pastMs) - this.#lostMs);
  }
}

/** Frames that may wait for a busy thread. */
const framesWaiting = 4;

/** Hands the shown video's frames to the engine. */
class VideoFollow {
  readonly #send: (command: EngineCommand) => void;
  readonly #now: () => number;
  #track: MediaStreamTrack | null = null;
  /** Since when the track is read. */
  sinceMs = 0;
  /** A live track whose frames the browser does not deliver. */
  unreadable: MediaStreamTrack | null = null;

  constructor(send: (command: EngineCommand) => void, now: () => number) {
    this.#send = send;
    this.#now = now;
    this.sinceMs = now();
  }

  show(track: MediaStreamTrack | null): void {
    const wanted = track?.readyState === 'live' ? track : null;
    if (wanted === this.#track) return;
    const frames = wanted && framesOf(wanted, framesWaiting);
    this.unreadable = frames === null ? wanted : null;
    this.#track = frames ? wanted : null;
    this.sinceMs = this.#now();
    this.#send({ kind: 'video', frames });
  }

  /** Reads the same track again. */
  renew(): void {
    const track = this.#track;
    this.#track = null;
    if (track !== null) this.show(track);
  }

  /** The engine reads no track any more: the shown one is handed over again. */
  forget(): void {
    this.#track = null;
  }
}

/** Frames missing for this long cause an inspection of what the page paints. */
const pollAfterMs = 800;
/** Number of frames shown by an element while none arrived here: the video moves, and we miss it. */
const movingFrames = 6;
/** A track that no element shows may be still for this long. */
const unplayedSilentMs = 12_000;
/** Interval of reading a canvas. */
const readableEveryMs = 2_000;
/**
 * A frame that is no longer offered is kept for this long while the page still shows one: another strategy may capture
 * it.
 */
const heldMs = 1_500;
/** Interval of evaluating the audio. */
const judgeAudioEveryMs = 500;
/** Earlier signs may be of the video before. */
const signsLateMs = 400;
/** Older signs indicate a busy thread, not a failed strategy. */
const signsFreshMs = 1_000;

export interface PageStrategiesPorts {
  /** Page time, epoch ms. */
  now(): number;
  send(command: EngineCommand): void;
  readonly tab: TabCapture;
}

/** Captures video and audio by the strategies of the choosers, and hands the tracks to the engine. */
export class PageStrategies {
  readonly #ports: PageStrategiesPorts;
  readonly #config: CaptureConfig;
  readonly #video: StrategyChooser | null;
  readonly #audio = new AudioChooser();
  readonly #follow: VideoFollow;
  /** Null where one frame at a time is recorded. */
  readonly #gallery: GalleryFollower | null;
  readonly #audioFollow: AudioFollow;
  readonly #inspector = new PageInspector();
  readonly #clock = new ObservedTime();
  readonly #refused = new Set<VideoStrategyName>();
  #signs: { of: EngineSigns; atMs: number } | null = null;
  /** Number of the engine's signs since the last evaluation. */
  #words = 0;
  /** The engine's current strategies of video and audio. */
  #taken: { video: VideoStrategyName | null; audio: AudioStrategyName | null } = { video: null, audio: null };
  #opening = false;
  /** speaker_view: the video offered now, whether it has given a frame, and the one that continues until then. */
  #shown: { readonly id: string | null; delivers: boolean; readonly before: string | null } = {
    id: null,
    delivers: false,
    before: null,
  };
  /** As reported to the engine. */
  #missing: MissingVideoReason | null = null;
  #offeredAtMs = -Infinity;
  /** On the clock that stops while no sample can be taken. */
  #judgedMs = 0;
  #audioJudgedAtMs = -Infinity;
  /** The track that was already renewed because of missing frames. */
  #renewed: MediaStreamTrack | null = null;
  #moving: { track: MediaStreamTrack; sinceMs: number; shown: number } | null = null;
  #read: { track: MediaStreamTrack; atMs: number; readable: boolean } | null = null;

  constructor(config: CaptureConfig, ports: PageStrategiesPorts) {
    this.#config = config;
    this.#ports = ports;
    this.#video = config.mode === 'audio_only' ? null : new StrategyChooser(['tracks', 'tab'], config.strategy);
    this.#follow = new VideoFollow(ports.send, ports.now);
    this.#gallery = config.mode === 'gallery_view' ? new GalleryFollower(ports.send) : null;
    this.#audioFollow = new AudioFollow(ports.send, config.participantAudio);
    if (ports.tab.refusal !== null) this.#refused.add('tab');
  }

  onSigns(signs: EngineSigns): void {
    const nowMs = this.#ports.now();
    this.#signs = { of: signs, atMs: nowMs };
    this.#words += 1;
    if (signs.shownFrames > 0 && nowMs - this.#follow.sinceMs >= signsLateMs) this.#shown.delivers = true;
  }

  /** The engine's stream of the shown video is over. */
  videoEnded(): void {
    this.#follow.forget();
  }

  /** So is that of a seat of the gallery. */
  tileVideoEnded(id: string): void {
    this.#gallery?.forget(id);
  }

  /** Hands over what the source offers now, by the current strategies. */
  follow(source: PageMediaSource): void {
    this.#audioFollow.follow(this.#audioTracks(source), source.audioOwners);
    if (this.#taken.video === null) return;
    if (this.#taken.video === 'tab') this.#follow.show(this.#ports.tab.video);
    else if (this.#gallery) this.#gallery.follow(source, this.#ports.now());
    else this.#followShown(source.shownVideo(), source);
  }

  #followShown(shown: PageVideo | null, source: PageMediaSource): void {
    const { id, delivers, before } = this.#shown;
    const shownId = shown?.id ?? null;
    if (shownId !== id) this.#shown = { id: shownId, delivers: false, before: delivers ? id : before };
    // A source may capture only what is requested: the video before continues until this one has a frame.
    else if (id !== null && !delivers && before !== null) void source.tiles().find((tile) => tile.id === before)?.track;
    const track = shown?.track ?? null;
    const nowMs = this.#ports.now();
    if (track !== null) this.#offeredAtMs = nowMs;
    else if (nowMs - this.#offeredAtMs < heldMs && !this.#refused.has('tab') && this.#inspector.seesVideo()) return;
    this.#follow.show(track);
  }

  /** Evaluates the strategies, and switches where needed. Not called in a pause, in which no media is expected. */
  judge(source: PageMediaSource): void {
    const nowMs = this.#ports.now();
    this.#judgedMs = this.#clock.sample(nowMs, this.#words);
    this.#words = 0;
    if (nowMs - this.#audioJudgedAtMs >= judgeAudioEveryMs) {
      this.#audioJudgedAtMs = nowMs;
      const step = this.#audio.choose(this.#audioSigns(source));
      if (step !== null) this.#takeAudio(step, source);
    }
    if (this.#video === null || this.#opening) return;
    // Frames are late or left out on purpose, and the tab costs more than all that is given up.
    if (this.#signs?.of.degraded != null && this.#taken.video !== null) return;
    const strategySwitch = this.#video.choose(this.#gallery ? this.#gallerySigns(source) : this.#videoSigns(source));
    this.#reportMissing(this.#video.missing);
    if (strategySwitch !== null) this.#takeFrame(strategySwitch, source);
  }

  /** Restores the state of an engine that has replaced a lost one. */
  handOver(): void {
    const { video, audio } = this.#taken;
    if (audio !== null) this.#send('audio', audio, audio, 'chosen');
    if (video !== null) this.#send('video', video, video, 'chosen');
    this.#audioFollow.renew();
    this.#follow.forget();
    this.#gallery?.forgetAll();
    this.#missing = null;
    this.#signs = null;
  }

  close(): void {
    this.#audioFollow.follow([]);
    this.#follow.forget();
    this.#ports.tab.close();
  }

  #reportMissing(reason: MissingVideoReason | null): void {
    if (reason === this.#missing) return;
    this.#missing = reason;
    this.#ports.send({ kind: 'video-missing', reason });
  }

  #takeFrame(strategySwitch: VideoSwitch, source: PageMediaSource): void {
    if (strategySwitch.to !== 'tab') {
      this.#switchVideo(strategySwitch.to, strategySwitch.reason, source);
      return;
    }
    this.#opening = true;
    void this.#ports.tab
      .open(this.#config)
      .then((opened) => {
        this.#opening = false;
        if (opened) this.#switchVideo('tab', strategySwitch.reason, source);
        else this.#refuse('tab');
      })
      .catch((error: unknown) => {
        this.#opening = false;
        this.#ports.send({ kind: 'note', error: String(error) });
      });
  }

  #refuse(strategy: VideoStrategyName): void {
    this.#refused.add(strategy);
    this.#ports.send({ kind: 'note', error: `The strategy ${strategy} was refused: ${this.#ports.tab.refusal ?? ''}` });
  }

  #switchVideo(to: VideoStrategyName, reason: StrategyReason, source: PageMediaSource): void {
    const from = this.#taken.video;
    if (from !== to) this.#send('video', from, to, reason);
    this.#taken.video = to;
    // The previous strategy has dropped all its frames.
    this.#gallery?.forgetAll();
    this.follow(source);
    this.#closeTabUnlessUsed();
  }

  #takeAudio(step: AudioStep, source: PageMediaSource): void {
    if (step.kind === 'renew') {
      this.#audioFollow.renew();
      return;
    }
    const strategySwitch = (): void => {
      this.#send('audio', this.#taken.audio, step.to, step.reason);
      this.#taken.audio = step.to;
      this.follow(source);
      this.#closeTabUnlessUsed();
    };
    if (step.to !== 'tab') strategySwitch();
    else
      void this.#ports.tab
        .open(this.#config)
        .then((opened) => (opened ? strategySwitch() : this.#refuse('tab')))
        .catch((error: unknown) => this.#ports.send({ kind: 'note', error: String(error) }));
  }

  #closeTabUnlessUsed(): void {
    if (this.#taken.video !== 'tab' && this.#taken.audio !== 'tab' && !this.#opening) this.#ports.tab.close();
  }

  #send(
    media: 'video' | 'audio',
    from: VideoStrategyName | AudioStrategyName | null,
    to: VideoStrategyName | AudioStrategyName,
    reason: StrategyReason,
  ): void {
    this.#ports.send({ kind: 'switch', strategySwitch: { media, from, to, reason } });
  }

  #audioTracks(source: PageMediaSource): MediaStreamTrack[] {
    const offered = source.audioTracks().filter(({ readyState }) => readyState === 'live');
    const { tab } = this.#ports;
    // The tab's audio contains all others: together they would be doubled.
    const onlyTab = this.#taken.audio === 'tab' || (this.#taken.video === 'tab' && offered.length === 0);
    if (onlyTab && tab.audio !== null) return [tab.audio];
    if (this.#taken.audio !== 'played') return offered;
    return [...new Set([...offered, ...this.#inspector.playedAudioTracks()])];
  }

  #audioSigns(source: PageMediaSource) {
    const refused = new Set<AudioStrategyName>();
    if (this.#refused.has('tab')) refused.add('tab');
    const offered = source.audioTracks().filter(({ readyState }) => readyState === 'live');
    if (this.#inspector.playedAudioTracks().every((track) => offered.includes(track))) refused.add('played');
    return {
      nowMs: this.#ports.now(),
      loudAtMs: this.#signs?.of.loudAtMs ?? null,
      speaking: this.#fresh && source.tiles().some(({ speaking }) => speaking),
      offer: offered.map(({ id }) => id).join(' '),
      refused,
    };
  }

  get #fresh(): boolean {
    return this.#signs !== null && this.#ports.now() - this.#signs.atMs < signsFreshMs;
  }

  #videoSigns(source: PageMediaSource): VideoSigns {
    const nowMs = this.#ports.now();
    const shown = source.shownVideo();
    const track = shown?.track.readyState === 'live' ? shown.track : null;
    const signs = this.#fresh ? this.#signs!.of : null;
    const shownSinceMs = this.#follow.sinceMs;
    // Signs of the video before: the engine had not begun with this one.
    const early = signs === null || this.#signs!.atMs - shownSinceMs < signsLateMs;
    const frameAtMs = early ? nowMs : signs.shownFrames > 0 ? signs.shownFrameAtMs : null;
    const silentMs = this.#judgedMs - this.#clock.at(Math.max(frameAtMs ?? -Infinity, shownSinceMs));
    const missing = this.#taken.video !== 'tab' && (track === null || silentMs >= pollAfterMs);
    const shownFrames = missing && track !== null ? this.#inspector.framesShownOf(track) : null;
    const moves = missing && track !== null && this.#movesOn(track, shownFrames, { silentMs, nowMs });
    // Read again, it may give frames: only then is the strategy left.
    const seenMoving = moves && track === this.#renewed;
    if (moves && !seenMoving) {
      this.#renewed = track;
      this.#reportMissing('no_frames');
      this.#follow.renew();
    }
    return {
      nowMs: this.#judgedMs,
      offeredId: track === null ? null : `${shown?.id ?? ''} ${track.id}`,
      live: track !== null && !track.muted,
      readable: track === null || (this.#follow.unreadable !== track && this.#isReadable(track, missing, nowMs)),
      frameAtMs: frameAtMs === null ? null : this.#clock.at(frameAtMs),
      shownSinceMs: this.#clock.at(shownSinceMs),
      blackSinceMs: early ? null : signs.blackSinceMs,
      seen: missing && this.#seesMore(track, shownFrames, moves),
      seenMoving,
      seenBright: track !== null && !early && signs.blackSinceMs !== null && this.#inspector.showsBright(track),
      refused: this.#refusedNow(),
    };
  }

  /** Each participant has a stream of its own: the strategy fails only when none is offered, or the tab fails. */
  #gallerySigns(source: PageMediaSource): VideoSigns {
    const nowMs = this.#judgedMs;
    const offered = source.tiles().some(({ track }) => track?.readyState === 'live');
    const signs = this.#fresh ? this.#signs!.of : null;
    const byTab = this.#taken.video === 'tab';
    return {
      nowMs,
      offeredId: offered ? 'gallery' : null,
      live: offered,
      readable: true,
      frameAtMs: byTab && signs?.shownFrames === 0 ? null : nowMs,
      shownSinceMs: byTab ? this.#clock.at(this.#follow.sinceMs) : nowMs,
      blackSinceMs: null,
      seen: !offered && this.#inspector.seesVideo(),
      seenMoving: false,
      seenBright: false,
      refused: this.#refusedNow(),
    };
  }

  #refusedNow(): ReadonlySet<VideoStrategyName> {
    // The browser can end the capture of the tab.
    if (this.#taken.video === 'tab' && this.#ports.tab.video === null) this.#refused.add('tab');
    return this.#refused;
  }

  /** The page paints what is missing here. Where an element plays the very track, others do not count. */
  #seesMore(track: MediaStreamTrack | null, shownFrames: number | null, moves: boolean): boolean {
    if (moves || (track !== null && this.#inspector.showsBright(track))) return true;
    // A canvas whose content cannot be read looks empty.
    const played = shownFrames !== null && !('canvas' in track!);
    return !played && this.#inspector.seesVideo();
  }

  /** Elements of the page have shown several frames of a track since the last one arrived here. */
  #movesOn(track: MediaStreamTrack, shown: number | null, at: { silentMs: number; nowMs: number }): boolean {
    const { silentMs, nowMs } = at;
    if (this.#moving !== null && nowMs - this.#moving.sinceMs > silentMs) this.#moving = null;
    // No element shows it: any video in the page has to do, once even the frames of a still one are overdue.
    if (shown === null) return silentMs >= unplayedSilentMs && this.#inspector.seesVideo();
    if (this.#moving?.track !== track) this.#moving = { track, sinceMs: nowMs, shown };
    return shown - this.#moving.shown >= movingFrames;
  }

  #isReadable(track: MediaStreamTrack, missing: boolean, nowMs: number): boolean {
    const fresh = !missing && this.#read !== null && nowMs - this.#read.atMs < readableEveryMs;
    if (fresh && this.#read?.track === track) return this.#read.readable;
    this.#read = { track, atMs: nowMs, readable: this.#inspector.readable(track) };
    return this.#read.readable;
  }
}
