const framesPerSecond = 25;
const cells = 24;
const blockMs = 10;
const beepMs = 60;

interface AudioGlobal {
  readonly MediaStreamTrackGenerator: new (init: { kind: 'audio' }) => MediaStreamTrack & {
    readonly writable: WritableStream<AudioData>;
  };
}

/**
 * A track that beeps on every second of the room's clock during its turns. Written block by block with exact times: a
 * busy machine makes it late, as a network would, but never wrong.
 */
export function audioOf(speech: number, zeroMs: number, turn: (roomMs: number) => number): MediaStreamTrack {
  const { MediaStreamTrackGenerator } = globalThis as unknown as AudioGlobal;
  const track = new MediaStreamTrackGenerator({ kind: 'audio' });
  const writer = track.writable.getWriter();
  let block = Math.ceil((performance.now() - zeroMs) / blockMs);
  setInterval(() => {
    for (; block * blockMs <= performance.now() - zeroMs; block += 1) {
      const inSecond = (((block * blockMs) % 1_000) + 1_000) % 1_000;
      const loud = turn(block * blockMs) === speech && inSecond < beepMs;
      const data = Float32Array.from({ length: blockMs * 48 }, (_none, index) =>
        loud ? 0.25 * Math.sin((2 * Math.PI * index) / 48) : 0,
      );
      const timestamp = Math.round((zeroMs + block * blockMs) * 1_000);
      void writer.write(
        new AudioData({
          format: 'f32',
          sampleRate: 48_000,
          numberOfFrames: data.length,
          numberOfChannels: 1,
          timestamp,
          data,
        }),
      );
    }
  }, blockMs / 2);
  return track;
}

export function drawParticipant(
  size: { width: number; height: number },
  participant: number,
  zeroMs: number,
): MediaStreamTrack {
  const canvas = document.createElement('canvas');
  canvas.width = size.width;
  canvas.height = size.height;
  const surface = canvas.getContext('2d');
  if (!surface) throw new Error('no canvas');
  let drawn = -1;
  setInterval(() => {
    const index = Math.floor(((performance.now() - zeroMs) / 1_000) * framesPerSecond);
    if (index <= drawn || index < 0) return;
    drawn = index;
    drawMarkerOn(surface, { index, participant });
  }, 5);
  const [track] = canvas.captureStream().getVideoTracks();
  if (!track) throw new Error('no track');
  return track;
}

export function drawMarkerOn(surface: CanvasRenderingContext2D, marker: { index: number; participant: number }): void {
  const { width, height } = surface.canvas;
  const fill = (color: string, [left, top, right, bottom]: readonly [number, number, number, number]): void => {
    surface.fillStyle = color;
    surface.fillRect(left * width, top * height, (right - left) * width, (bottom - top) * height);
  };
  fill(['#245', '#523', '#352', '#435', '#454', '#543'][marker.participant % 6] ?? '#245', [0, 0, 1, 1]);
  fill(marker.index % framesPerSecond < framesPerSecond / 10 ? '#fff' : '#000', [0.02, 0.04, 0.12, 0.2]);
  const counter = marker.index % 65_536;
  const nibbles = [counter & 15, (counter >> 4) & 15, (counter >> 8) & 15, (counter >> 12) & 15, marker.participant];
  nibbles.push(nibbles.reduce((sum, nibble) => sum ^ nibble, 0));
  for (let cell = 0; cell < cells; cell += 1) {
    const bit = ((nibbles[cell >> 2] ?? 0) >> (cell & 3)) & 1;
    fill(bit ? '#fff' : '#000', [0.1 + (cell * 0.8) / cells, 0.7, 0.1 + ((cell + 1) * 0.8) / cells, 0.76]);
  }
}
