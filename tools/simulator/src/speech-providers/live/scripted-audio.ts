/** Samples per second of live audio at every simulated provider. */
export const liveRateHz = 16_000;
export const blockMs = 100;
const samplesPerBlock = (liveRateHz * blockMs) / 1_000;
export const bytesPerLiveMs = (liveRateHz * 2) / 1_000;
const mark = 0x5eed;

export interface ScriptPosition {
  /** Number of the script, as `registerScript` returned it. */
  readonly script: number;
  /** The time of the block's first sample in the script. */
  readonly atMs: number;
}

/** 100 ms of audio that encodes its position in a script, so that a provider of the simulator can look up its words. */
export function scriptedBlock({ script, atMs }: ScriptPosition): Buffer {
  const block = Buffer.alloc(samplesPerBlock * 2);
  const index = Math.round(atMs / blockMs);
  for (const [place, value] of [mark, script, index & 0x7fff, index >> 15].entries()) {
    block.writeUInt16LE(value, place * 2);
  }
  return block;
}

/** Null: the block is not scripted. */
export function readPosition(block: Buffer): ScriptPosition | null {
  if (block.byteLength < 8 || block.readUInt16LE(0) !== mark) return null;
  const index = block.readUInt16LE(4) + block.readUInt16LE(6) * 0x8000;
  return { script: block.readUInt16LE(2), atMs: index * blockMs };
}
