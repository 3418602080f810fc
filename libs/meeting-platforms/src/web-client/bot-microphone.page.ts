const rateHz = 48_000;
/** Lead of audio that follows silence, so that a slightly late chunk still joins it. */
const leadSamples = rateHz * 0.08;
const reportMs = 200;

interface ScheduledAudio {
  readonly source: AudioBufferSourceNode;
  readonly startSample: number;
  readonly samples: number;
}

/** A microphone that plays the samples it is given, and silence between. */
export class BotMicrophone {
  readonly #onOpened: () => void;
  readonly #onSaid: (run: number, samples: number) => void;
  #context: AudioContext | null = null;
  #outlet: MediaStreamAudioDestinationNode | null = null;
  #scheduled: ScheduledAudio[] = [];
  #run = 0;
  /** Finished samples of this run. */
  #doneSamples = 0;
  #nextSample = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(onOpened: () => void, onSaid: (run: number, samples: number) => void) {
    this.#onOpened = onOpened;
    this.#onSaid = onSaid;
  }

  open(): MediaStreamTrack {
    const first = this.#context === null;
    const context = (this.#context ??= new AudioContext({ sampleRate: rateHz }));
    const outlet = (this.#outlet ??= new MediaStreamAudioDestinationNode(context, { channelCount: 1 }));
    void context.resume().catch(() => undefined);
    if (first) {
      // Silence keeps the graph active: otherwise the first word is lost while it starts.
      const silence = new ConstantSourceNode(context, { offset: 0 });
      silence.connect(outlet);
      silence.start();
      this.#onOpened();
    }
    // A page that mutes may stop its track; the audio continues for the next one.
    return outlet.stream.getAudioTracks()[0]!.clone();
  }

  play(base64: string, run: number): boolean {
    const context = this.#context;
    if (context === null || this.#outlet === null) return false;
    if (run !== this.#run) this.#clear(run);
    const samples = samplesOf(base64);
    if (samples.length === 0) return true;
    const buffer = new AudioBuffer({ length: samples.length, numberOfChannels: 1, sampleRate: rateHz });
    buffer.copyToChannel(samples, 0);
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(this.#outlet);
    const now = this.#nowSample();
    const startSample = this.#nextSample > now ? this.#nextSample : Math.ceil(now) + leadSamples;
    source.start(startSample / rateHz);
    this.#nextSample = startSample + samples.length;
    this.#scheduled.push({ source, startSample, samples: samples.length });
    this.#timer ??= setInterval(() => this.#report(), reportMs);
    return true;
  }

  #nowSample(): number {
    return (this.#context?.currentTime ?? 0) * rateHz;
  }

  #clear(run: number): void {
    for (const { source } of this.#scheduled) source.stop();
    this.#scheduled = [];
    this.#run = run;
    this.#doneSamples = 0;
    this.#nextSample = 0;
  }

  #report(): void {
    const now = this.#nowSample();
    while (this.#scheduled[0] !== undefined && this.#scheduled[0].startSample + this.#scheduled[0].samples <= now) {
      this.#doneSamples += this.#scheduled.shift()!.samples;
    }
    const [current] = this.#scheduled;
    const begun = current === undefined ? 0 : Math.max(0, Math.floor(now - current.startSample));
    this.#onSaid(this.#run, this.#doneSamples + begun);
    if (current !== undefined || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

function samplesOf(base64: string): Float32Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const pcm = new Int16Array(bytes.buffer, 0, Math.floor(bytes.length / 2));
  return Float32Array.from(pcm, (value) => value / 32_768);
}
