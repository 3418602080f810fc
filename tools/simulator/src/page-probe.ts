/** The measurements of the test's probe inside the page; times are epoch milliseconds of the page. */
export type FrameSample = { atMs: number; counter: number; participantIndex: number };
export type AudioSample = { atMs: number; source: number; level: number };
export type SyncSample = { flashesAtMs: number[]; beepsAtMs: number[] };

/**
 * Runs before the page's own scripts, as a bot's would: collects the audio receivers and the `collections` messages,
 * reads the counter strip of every frame, and records the times of flashes on screen and of beeps in the audio.
 */
export const PAGE_PROBE = `
globalThis.probe = (() => {
  const collections = [];
  const receivers = [];
  const connections = [];
  const flashesAtMs = [];
  const beepsAtMs = [];
  const Native = globalThis.RTCPeerConnection;
  globalThis.RTCPeerConnection = class extends Native {
    constructor(...options) {
      super(...options);
      connections.push(this);
      this.addEventListener('track', ({ track, receiver }) => {
        if (track.kind !== 'audio') return;
        receivers.push(receiver);
        listen(track);
      });
      this.addEventListener('datachannel', ({ channel }) => {
        if (channel.label !== 'collections') return;
        channel.addEventListener('message', ({ data }) => {
          collections.push(btoa(String.fromCharCode(...new Uint8Array(data))));
        });
      });
    }
  };

  async function listen(track) {
    const reader = new MediaStreamTrackProcessor({ track: track.clone() }).readable.getReader();
    let loud = false;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const samples = new Float32Array(value.numberOfFrames);
      value.copyTo(samples, { planeIndex: 0, format: 'f32-planar' });
      const rate = value.sampleRate;
      value.close();
      let real = 0;
      let imaginary = 0;
      samples.forEach((sample, index) => {
        real += sample * Math.cos((2 * Math.PI * 1000 * index) / rate);
        imaginary += sample * Math.sin((2 * Math.PI * 1000 * index) / rate);
      });
      const beeps = (2 * Math.hypot(real, imaginary)) / samples.length > 0.15;
      if (beeps && !loud && beepsAtMs.length < 200) beepsAtMs.push(Date.now());
      loud = beeps;
    }
  }

  function pixels(video) {
    const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
    const context = canvas.getContext('2d');
    context.drawImage(video, 0, 0);
    return (x, y) => context.getImageData(Math.round(x * canvas.width), Math.round(y * canvas.height), 1, 1).data[1] > 128;
  }

  function readFrames() {
    const videos = [...document.querySelectorAll('main video')].filter((video) => video.videoWidth > 0);
    return videos.flatMap((video) => {
      const white = pixels(video);
      const atMs = Date.now();
      const bits = Array.from({ length: 24 }, (_, cell) => white(0.1 + ((cell + 0.5) * 0.8) / 24, 0.73));
      const word = bits.reduce((sum, bit, index) => sum + (bit ? 2 ** index : 0), 0);
      const nibble = (index) => Math.floor(word / 16 ** index) % 16;
      const checksum = nibble(0) ^ nibble(1) ^ nibble(2) ^ nibble(3) ^ nibble(4);
      return checksum === nibble(5) ? [{ atMs, counter: word % 65536, participantIndex: nibble(4) }] : [];
    });
  }

  let lit = true;
  function watchFlash() {
    const video = document.querySelector('main video');
    if (video && video.videoWidth > 0) {
      const white = pixels(video)(0.07, 0.12);
      if (white && !lit && flashesAtMs.length < 200) flashesAtMs.push(Date.now());
      lit = white;
    }
    setTimeout(watchFlash, 10);
  }
  watchFlash();

  const readSources = () =>
    receivers.flatMap((receiver) =>
      receiver.getContributingSources().map(({ source, audioLevel }) => ({ atMs: Date.now(), source, level: audioLevel ?? 0 })),
    );
  /** What each frame that comes is encoded as, and its size. */
  async function readPictures() {
    const reports = await Promise.all(connections.map((connection) => connection.getStats()));
    return reports.flatMap((report) =>
      [...report.values()]
        .filter(({ type, kind, framesDecoded }) => type === 'inbound-rtp' && kind === 'video' && framesDecoded > 0)
        .map(({ codecId, frameWidth }) => report.get(codecId)?.mimeType + ' ' + frameWidth),
    );
  }

  return { collections, readPictures, readFrames, readSources, readSync: () => ({ flashesAtMs, beepsAtMs }) };
})();
`;
