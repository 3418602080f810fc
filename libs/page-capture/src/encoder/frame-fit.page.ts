import type { RotatedFrame } from '../chromium-media.ts';

const aspectTolerance = 0.01;

/**
 * The smallest rectangle of the requested aspect ratio that holds a frame unscaled, and the position of the video in
 * it.
 */
export interface Mat {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
}

/** Sizes are even, as 4:2:0 frames need. */
export function matFor(width: number, height: number, aspect: number): Mat {
  const even = (value: number): number => Math.ceil(value / 2) * 2;
  const wide = width / height > aspect;
  const matWidth = even(wide ? width : height * aspect);
  const matHeight = even(wide ? width / aspect : height);
  return {
    width: matWidth,
    height: matHeight,
    left: Math.floor((matWidth - width) / 4) * 2,
    top: Math.floor((matHeight - height) / 4) * 2,
  };
}

/**
 * Fits any video to the recording's aspect ratio. A frame of that ratio passes unchanged: the encoder scales it without
 * leaving YUV. Another one gets black borders: by copying its planes, or by a canvas where it is rotated or comes in
 * another pixel format.
 */
export class FrameFit {
  readonly #width: number;
  readonly #height: number;
  #canvas: OffscreenCanvas | null = null;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  /** The frame to encode; it may be `frame` itself. The caller closes both. */
  async shaped(frame: VideoFrame): Promise<VideoFrame> {
    const rotated = ((frame as RotatedFrame).rotation ?? 0) !== 0;
    const aspect = this.#width / this.#height;
    const sameShape = Math.abs(frame.displayWidth / frame.displayHeight / aspect - 1) < aspectTolerance;
    if (sameShape && !rotated) return frame;
    const visible = frame.visibleRect;
    const plain = !rotated && visible?.width === frame.displayWidth && visible.height === frame.displayHeight;
    const evenSized = frame.displayWidth % 2 === 0 && frame.displayHeight % 2 === 0;
    return frame.format === 'I420' && plain && evenSized ? borderedPlanes(frame, aspect) : this.#drawn(frame);
  }

  black(): VideoFrame {
    const luma = this.#width * this.#height;
    const data = new Uint8Array(luma * 1.5).fill(128, luma).fill(16, 0, luma);
    return new VideoFrame(data, { format: 'I420', codedWidth: this.#width, codedHeight: this.#height, timestamp: 0 });
  }

  #drawn(frame: VideoFrame): VideoFrame {
    this.#canvas ??= new OffscreenCanvas(this.#width, this.#height);
    const surface = this.#canvas.getContext('2d', { alpha: false });
    if (!surface) throw new Error('The page gave no canvas to fit a frame into the recording.');
    const scale = Math.min(this.#width / frame.displayWidth, this.#height / frame.displayHeight);
    const width = Math.round(frame.displayWidth * scale);
    const height = Math.round(frame.displayHeight * scale);
    surface.fillStyle = '#000';
    surface.fillRect(0, 0, this.#width, this.#height);
    surface.drawImage(frame, (this.#width - width) / 2, (this.#height - height) / 2, width, height);
    return new VideoFrame(this.#canvas, { timestamp: frame.timestamp });
  }
}

async function borderedPlanes(frame: VideoFrame, aspect: number): Promise<VideoFrame> {
  const mat = matFor(frame.displayWidth, frame.displayHeight, aspect);
  const half = mat.width / 2;
  // One spare line after each plane: a copy that begins inside a line ends inside the line after its last.
  const u = mat.width * (mat.height + 1);
  const v = u + half * (mat.height / 2 + 1);
  const data = new Uint8Array(v + half * (mat.height / 2 + 1)).fill(128, u).fill(16, 0, u);
  const chroma = (mat.top / 2) * half + mat.left / 2;
  await frame.copyTo(data, {
    layout: [
      { offset: mat.top * mat.width + mat.left, stride: mat.width },
      { offset: u + chroma, stride: half },
      { offset: v + chroma, stride: half },
    ],
  });
  return new VideoFrame(data, {
    format: 'I420',
    codedWidth: mat.width,
    codedHeight: mat.height,
    timestamp: frame.timestamp,
    layout: [
      { offset: 0, stride: mat.width },
      { offset: u, stride: half },
      { offset: v, stride: half },
    ],
  });
}
