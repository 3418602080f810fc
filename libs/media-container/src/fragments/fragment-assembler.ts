import { createHash } from 'node:crypto';
import type { CaptureBreak } from '@rapporteur/contracts';
import { shortestFragmentShare } from './fragment-length.page.ts';
import { initSegment, readOpusHead } from './init-segment.ts';
import { participantBox } from './participant-box.ts';
import type { ParticipantPacket } from './participant-box.ts';
import { mediaFragment } from './media-fragment.ts';
import type { AudioSample, VideoSample } from './media-fragment.ts';
import { withParameterSets } from '../avc/parameter-sets.ts';

/** A closed fragment of the recording. Times are media time: from the start, without pauses. */
export interface RecordingFragment {
  /** From 1, without gaps. A number that is missing afterwards is a fragment that was lost. */
  readonly sequence: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly bytes: Uint8Array;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly videoSamples: number;
  readonly audioSamples: number;
  /** Cause of the gap before it, where known; null: it is contiguous. */
  readonly gapBefore: CaptureBreak | null;
}

export interface AssemblerOptions {
  readonly withVideo: boolean;
  readonly width: number;
  readonly height: number;
  /** Length of a fragment where key frames are as frequent; otherwise up to twice as long. */
  readonly fragmentMs: number;
  onInit(bytes: Uint8Array): void;
  /** Whether the machine has too little CPU, so that the encoder may describe its video late. */
  awaitsFirstFrame(): boolean;
  /** The encoder never described its video: only the audio is recorded from here on. */
  onFrameLost(): void;
  onFragment(fragment: RecordingFragment): void;
}

/** Audio arrives a little after the video; a fragment waits this long for it. */
const audioWaitUs = 1_500_000;
/** Without any key frame for this long the video has failed, and the audio continues alone. */
const videoDeadUs = 6_000_000;
/**
 * How long the audio waits for the first key frame of an encoder that has too little CPU: without one, the whole
 * recording has no video.
 */
export const firstFrameMs = 20_000;

/** Packets of single participants that wait for a fragment to be closed: six of them speaking for half a minute. */
const participantPacketsMax = 9_000;

/** A frame that arrives this much later than a fragment should end begins none. */
const stillMostUs = 500_000;
/** A fragment without another key frame ends after this multiple of its length. */
const keylessLengths = 1.5;
/** Maximum length of a fragment, except for the duration of its last frame. */
const longestMs = 4_000;

/**
 * Cuts two streams of encoded samples into fragments. Each begins with a key frame where the encoder gives them as
 * often; a stream that arrives encoded has few, and such a fragment refers to the one before. Further key frames stay
 * in place.
 */
export class FragmentAssembler {
  readonly #options: AssemblerOptions;
  #video: VideoSample[] = [];
  #audio: AudioSample[] = [];
  /** Unordered; part of the next fragment that is closed, regardless of time. */
  #participantPackets: ParticipantPacket[] = [];
  #avcC: Uint8Array | null = null;
  /** The decoder configuration of the current frames. */
  #currentAvcC: Uint8Array | null = null;
  #opusHead: Uint8Array | null = null;
  #initSent = false;
  #sequence = 0;
  #startUs = 0;
  #audioEndUs = 0;
  #videoUs = 0;
  /** No frame is decodable before the next key frame. */
  #awaitsKey = true;
  #gapBefore: CaptureBreak | null = null;
  #withVideo: boolean;

  constructor(options: AssemblerOptions) {
    this.#options = options;
    this.#withVideo = options.withVideo;
  }

  describe(description: { avcC?: Uint8Array; opusHead?: Uint8Array }): void {
    // The first description is also part of the init segment.
    this.#avcC ??= description.avcC ?? null;
    this.#currentAvcC = description.avcC ?? this.#currentAvcC;
    this.#opusHead ??= description.opusHead ?? null;
  }

  /** Continues with another capture at a media time. The earlier media were closed by `finish`. */
  resume(atMs: number, after: CaptureBreak): void {
    this.#startUs = Math.max(this.#startUs, Math.round(atMs * 1_000));
    this.#audioEndUs = this.#startUs;
    this.#videoUs = this.#startUs;
    this.#awaitsKey = true;
    this.#gapBefore = after;
  }

  /** Requires ascending times. */
  addVideo(sample: VideoSample): void {
    if (!this.#withVideo) return;
    // Too late for its fragment, which is closed: those after it could not be decoded.
    if (sample.timeUs < this.#startUs) this.#awaitsKey = true;
    if (sample.timeUs < this.#startUs || (this.#awaitsKey && !sample.key)) return;
    this.#awaitsKey = false;
    const avcC = sample.key ? this.#currentAvcC : null;
    const bytes = avcC ? withParameterSets(sample.bytes, avcC) : sample.bytes;
    this.#video.push({ ...sample, bytes });
    this.#videoUs = sample.timeUs;
    this.#closeDue();
  }

  /** Requires ascending times. */
  addAudio(sample: AudioSample): void {
    const endUs = sample.timeUs + sample.durationUs;
    // Recorded already: this page's clock is behind that of the page before. Audio that is only late is newer.
    if (endUs <= this.#audioEndUs) return;
    this.#audio.push(sample);
    this.#audioEndUs = endUs;
    this.#closeDue();
  }

  addParticipantPacket(packet: ParticipantPacket): void {
    if (this.#participantPackets.length < participantPacketsMax) this.#participantPackets.push(packet);
  }

  /** Closes the open fragment at a pause, so that all media before it are stored. */
  cut(atMs: number): void {
    const endUs = Math.round(atMs * 1_000);
    // Without a description nothing is decodable yet, and the samples wait for it.
    if (this.#withVideo && this.#avcC === null) return;
    this.#closeDue();
    if (endUs > this.#startUs) this.#close(endUs);
  }

  /** Closes what is left. `endMs` null: as far as there is media. */
  finish(endMs: number | null): void {
    this.#closeDue();
    const mediaEndUs = Math.max(this.#audioEndUs, this.#video.at(-1)?.timeUs ?? 0);
    if (this.#video.length > 0 || this.#audio.length > 0) {
      this.#close(Math.max(endMs === null ? mediaEndUs : Math.round(endMs * 1_000), this.#startUs + 1));
    }
  }

  #closeDue(): void {
    for (let endUs = this.#dueEnd(); endUs !== null; endUs = this.#dueEnd()) this.#close(endUs);
  }

  /** End of the open fragment, once all media before it has arrived. */
  #dueEnd(): number | null {
    const audioUs = this.#audioEndUs;
    if (!this.#withVideo) {
      const endUs = this.#startUs + Math.min(this.#options.fragmentMs, longestMs) * 1_000;
      return audioUs >= endUs ? endUs : null;
    }
    const nextUs = this.#nextStart();
    if (nextUs !== null) return audioUs >= nextUs || this.#videoUs - nextUs > audioWaitUs ? nextUs : null;
    const isLate = this.#avcC === null && this.#options.awaitsFirstFrame();
    if (audioUs - Math.max(this.#videoUs, this.#startUs) <= (isLate ? firstFrameMs * 1_000 : videoDeadUs)) return null;
    if (this.#avcC === null) {
      this.#withVideo = false;
      this.#video = [];
      this.#options.onFrameLost();
    }
    return audioUs;
  }

  /** Time at which the present frames allow the next fragment to begin. */
  #nextStart(): number | null {
    const { fragmentMs } = this.#options;
    const earliestUs = this.#startUs + shortestFragmentShare * fragmentMs * 1_000;
    const latestUs = this.#startUs + Math.min(keylessLengths * fragmentMs, longestMs) * 1_000;
    const next = this.#video.find(
      ({ key, timeUs }, index) => (key && timeUs >= earliestUs && index > 0) || timeUs >= latestUs,
    );
    if (!next) return null;
    // A still last frame does not make it longer.
    return next.timeUs - latestUs > stillMostUs ? latestUs : next.timeUs;
  }

  #close(endUs: number): void {
    const video = this.#video.filter((sample) => sample.timeUs < endUs);
    const audio = this.#audio.filter((sample) => sample.timeUs < endUs);
    this.#video = this.#video.slice(video.length);
    this.#audio = this.#audio.slice(audio.length);
    const startUs = this.#startUs;
    this.#startUs = endUs;
    if (!this.#sendInit() || (video.length === 0 && audio.length === 0)) return;
    this.#sequence += 1;
    const participantPackets = this.#participantPackets.splice(0);
    const besides = participantPackets.length === 0 ? {} : { besides: participantBox(participantPackets) };
    const bytes = mediaFragment({ sequence: this.#sequence, video, audio, endUs, ...besides });
    this.#options.onFragment({
      sequence: this.#sequence,
      startMs: startUs / 1_000,
      endMs: endUs / 1_000,
      bytes,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      videoSamples: video.length,
      audioSamples: audio.length,
      gapBefore: this.#gapBefore,
    });
    this.#gapBefore = null;
  }

  /** False while the video has no description: then nothing is decodable yet. */
  #sendInit(): boolean {
    if (this.#initSent) return true;
    const { width, height } = this.#options;
    if (this.#withVideo && !this.#avcC) return false;
    this.#initSent = true;
    const video = this.#withVideo && this.#avcC ? { video: { width, height, avcC: this.#avcC } } : {};
    this.#options.onInit(initSegment({ ...video, audio: readOpusHead(this.#opusHead) }));
    return true;
  }
}
