import { mixRate } from '../mixer/audio-mix.page.ts';

/** Starts an encoder for one channel at the mix's rate. `settings`: of Opus itself. */
export function configureOpus(encoder: AudioEncoder, bitrate: number, settings: object): void {
  encoder.configure({
    codec: 'opus',
    sampleRate: mixRate,
    numberOfChannels: 1,
    bitrate,
    opus: settings,
  } as AudioEncoderConfig);
}

/** @param position of the first sample */
export function encodeSamples(encoder: AudioEncoder, samples: Float32Array<ArrayBuffer>, position: number): void {
  const data = new AudioData({
    format: 'f32',
    sampleRate: mixRate,
    numberOfFrames: samples.length,
    numberOfChannels: 1,
    timestamp: samplesInUs(position),
    data: samples,
  });
  encoder.encode(data);
  data.close();
}

export function chunkBytes(chunk: EncodedAudioChunk): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunk.byteLength);
  chunk.copyTo(bytes);
  return bytes;
}

export function samplesInUs(samples: number): number {
  return Math.round((samples / mixRate) * 1_000_000);
}

/** The description of a decoder configuration, as bytes on the same buffer. */
export function bytesOf(source: AllowSharedBufferSource): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}
