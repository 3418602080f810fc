const SAMPLE_RATE = 48_000;
const PACKET_SECONDS = 0.02;
/** Packets are played this much after the first one came: they arrive unevenly. */
const CUSHION_SECONDS = 0.15;
const LONGEST_AHEAD_SECONDS = 0.4;

/** Decodes participants' Opus packets and plays them into one audio node: no receivers and no tracks. */
export class AudioPlayer {
  /** `heard(participantIndex, level)`: level 0..1 of each packet as it comes. */
  constructor(context, output, heard = () => undefined) {
    this.context = context;
    this.output = output;
    this.heard = heard;
    this.voices = new Map();
  }

  hear(participantIndex, tick, payload) {
    let voice = this.voices.get(participantIndex);
    if (voice === undefined) {
      voice = {
        decoder: new AudioDecoder({
          output: (data) => this.play(participantIndex, data),
          error: () => this.voices.delete(participantIndex),
        }),
      };
      voice.decoder.configure({ codec: 'opus', sampleRate: SAMPLE_RATE, numberOfChannels: 1 });
      this.voices.set(participantIndex, voice);
    }
    voice.decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp: tick * PACKET_SECONDS * 1e6, data: payload }));
  }

  play(participantIndex, data) {
    const samples = new Float32Array(data.numberOfFrames);
    data.copyTo(samples, { planeIndex: 0, format: 'f32-planar' });
    const at = data.timestamp / 1e6;
    data.close();
    this.heard(participantIndex, Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length));
    const now = this.context.currentTime;
    // A clock that fell behind, that is far ahead after a jam, or was never set, is set by the packet that comes now.
    const aheadSeconds = this.zero === undefined ? -1 : this.zero + at - now;
    if (aheadSeconds < 0 || aheadSeconds > LONGEST_AHEAD_SECONDS) this.zero = now + CUSHION_SECONDS - at;
    const block = this.context.createBuffer(1, samples.length, SAMPLE_RATE);
    block.copyToChannel(samples, 0);
    const source = this.context.createBufferSource();
    source.buffer = block;
    source.connect(this.output);
    source.start(this.zero + at);
  }

  stop() {
    for (const { decoder } of this.voices.values()) if (decoder.state !== 'closed') decoder.close();
  }
}
