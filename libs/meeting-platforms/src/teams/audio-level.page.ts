import type { RemoteTrack } from '../web-client/remote-tracks.page.ts';

const statsEveryMs = 200;
/** Sources that are silent this long while packets come give no levels in this browser. */
const unbelievedMs = 3_000;

/**
 * The current level of the mix, 0..1. The level in the packets is exact and costs nothing; where it is always zero, the
 * energy of the played audio is used, in steps of a fifth of a second.
 */
export class AudioLevel {
  #lastTimestamp: number | null = null;
  #packetsSinceMs: number | null = null;
  #sawLevel = false;
  #requestedAtMs = 0;
  #played: { readonly energy: number; readonly seconds: number } | null = null;
  #statsLevel = 0;

  /** Call often: audio between two calls is not measured. */
  read({ receiver }: RemoteTrack, nowMs: number): number {
    const [source] = receiver.getSynchronizationSources();
    const fresh = source !== undefined && source.timestamp !== this.#lastTimestamp;
    this.#lastTimestamp = source?.timestamp ?? null;
    const level = fresh ? (source.audioLevel ?? 0) : 0;
    if (level > 0) this.#sawLevel = true;
    if (fresh) this.#packetsSinceMs ??= nowMs;
    if (this.#sawLevel || this.#packetsSinceMs === null || nowMs - this.#packetsSinceMs < unbelievedMs) return level;
    if (nowMs - this.#requestedAtMs >= statsEveryMs) {
      this.#requestedAtMs = nowMs;
      void this.#requestStats(receiver);
    }
    return this.#statsLevel;
  }

  async #requestStats(receiver: RTCRtpReceiver): Promise<void> {
    const report = await receiver.getStats().catch(() => null);
    report?.forEach((entry: { type: string; totalAudioEnergy?: number; totalSamplesDuration?: number }) => {
      if (entry.type !== 'inbound-rtp') return;
      const played = { energy: entry.totalAudioEnergy ?? 0, seconds: entry.totalSamplesDuration ?? 0 };
      const before = this.#played;
      this.#played = played;
      const seconds = played.seconds - (before?.seconds ?? played.seconds);
      this.#statsLevel = before === null || seconds <= 0 ? 0 : Math.sqrt((played.energy - before.energy) / seconds);
    });
  }
}
