/** Sampling costs little, and black is not urgent for seconds. */
const pollIntervalMs = 1_500;
const bands = 6;
/** Of 255, in the video range where 16 is black. */
const darkest = 26;

/** Samples a few lines of a frame at intervals, to detect a black frame. */
export class BlackDetector {
  #nextMs = -Infinity;
  /** Page time of the first of the black frames; null while the last sampled frame was not black. */
  blackSinceMs: number | null = null;

  /** Does not retain the frame. */
  at(frame: VideoFrame, nowMs: number): void {
    if (nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + pollIntervalMs;
    void this.#sample(frame.clone(), nowMs).catch(() => undefined);
  }

  async #sample(frame: VideoFrame, nowMs: number): Promise<void> {
    try {
      const black = await isBlack(frame);
      this.blackSinceMs = black ? (this.blackSinceMs ?? nowMs) : null;
    } finally {
      frame.close();
    }
  }
}

/** For frames whose first plane is luma; other formats count as not black. */
async function isBlack(frame: VideoFrame): Promise<boolean> {
  const { format, visibleRect } = frame;
  if (visibleRect === null || (format !== 'I420' && format !== 'NV12' && format !== 'I420A')) return false;
  const width = visibleRect.width & ~1;
  const lines = 2;
  if (width < 2 || visibleRect.height < bands * lines) return false;
  for (let band = 0; band < bands; band += 1) {
    const y = (visibleRect.y + Math.floor(((band + 0.5) * visibleRect.height) / bands)) & ~1;
    const rect = { x: visibleRect.x, y, width, height: lines };
    const data = new Uint8Array(frame.allocationSize({ rect }));
    const [light] = await frame.copyTo(data, { rect });
    if (light === undefined) return false;
    for (let line = 0; line < lines; line += 1) {
      const from = light.offset + line * light.stride;
      if (data.subarray(from, from + width).some((value) => value > darkest)) return false;
    }
  }
  return true;
}
