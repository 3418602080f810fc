import type { AudioImpairment, PageMediaSource } from '@rapporteur/contracts';
import type { PlayedAudio } from '../messages.ts';

const sampleEveryMs = 1_000;
/** Concealed audio in a second: less is not audible in speech. */
const concealedMs = 40;
/** Receivers adapt the length of what they hold by a few per cent all the time. */
const stretchedMs = 100;
/** Pages that decode audio themselves hold some 150 ms of it. */
const pageLateMs = 200;

/** The counters of one receiver, in ms of audio since its beginning. */
interface PlayedTotals {
  readonly concealedMs: number;
  readonly stretchedMs: number;
}

/** Counters of `inbound-rtp`: concealed audio except silence, and samples that were inserted or left out. */
function totalsOf(stats: RTCStatsReport): PlayedTotals {
  const counters = [...stats.values()].find(({ type }) => type === 'inbound-rtp') as
    | Record<string, unknown>
    | undefined;
  const ms = (name: string): number => Number(counters?.[name] ?? 0) / 48;
  return {
    concealedMs: ms('concealedSamples') - ms('silentConcealedSamples'),
    stretchedMs: ms('insertedSamplesForDeceleration') + ms('removedSamplesForAcceleration'),
  };
}

/** Measures what the page plays, by the second. */
export class PageAudio {
  readonly #before = new WeakMap<RTCRtpReceiver, PlayedTotals>();
  #sampledAtMs = 0;
  #latestMs = 0;
  played: PlayedAudio = { sinceMs: 0, impairment: null };

  /** Call it several times a second. @param lateMs how late this call is */
  sample(source: PageMediaSource, lateMs: number, nowMs: number): void {
    this.#latestMs = Math.max(this.#latestMs, lateMs);
    if (nowMs - this.#sampledAtMs < sampleEveryMs) return;
    const sinceMs = Math.max(this.#sampledAtMs, nowMs - sampleEveryMs - this.#latestMs);
    const isLate = this.#latestMs >= pageLateMs;
    this.#sampledAtMs = nowMs;
    this.#latestMs = 0;
    const receivers = source.audioReceivers?.() ?? [];
    if (receivers.length === 0) return this.#note(isLate ? 'page_late' : null, sinceMs);
    void Promise.all(receivers.map((receiver) => this.#judge(receiver)))
      .then((found) => this.#note(found.find((reason) => reason !== null) ?? null, sinceMs))
      .catch(() => undefined);
  }

  /** Null also for the first sample of a receiver: what came before it was not recorded. */
  async #judge(receiver: RTCRtpReceiver): Promise<AudioImpairment | null> {
    const now = totalsOf(await receiver.getStats());
    const before = this.#before.get(receiver) ?? now;
    this.#before.set(receiver, now);
    if (now.concealedMs - before.concealedMs >= concealedMs) return 'concealed';
    return now.stretchedMs - before.stretchedMs >= stretchedMs ? 'stretched' : null;
  }

  #note(impairment: AudioImpairment | null, sinceMs: number): void {
    if (impairment !== this.played.impairment) this.played = { sinceMs, impairment };
  }
}
