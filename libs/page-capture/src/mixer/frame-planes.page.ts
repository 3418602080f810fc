import type { VideoSize, Rectangle } from './gallery-layout.page.ts';

/** One colour of a 4:2:0 video, in the limited range. */
export interface PlaneColor {
  readonly y: number;
  readonly u: number;
  readonly v: number;
}

/** A small video with its own opacity, made once and laid over a larger one again and again. Sides are even. */
export interface Stamp extends VideoSize {
  readonly y: Uint8Array;
  /** Opacity of each point of `y`, 0 to 255. */
  readonly alpha: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
  /** Opacity of each point of `u` and `v`. */
  readonly alphaOfColor: Uint8Array;
}

/** A plane, or a part of one, in some bytes. */
export interface PlanePart extends VideoSize {
  readonly data: Uint8Array;
  readonly offset: number;
  readonly stride: number;
}

/** Four bytes each, without gaps; the fourth is ignored. */
export interface Pixels extends VideoSize {
  readonly data: Uint8Array | Uint8ClampedArray;
  readonly blueFirst: boolean;
}

/** A 4:2:0 video that is painted in place and handed to the encoder without ever leaving YUV. */
export class FramePlanes {
  readonly width: number;
  readonly height: number;
  /** Luma, then the two planes of colour. */
  readonly data: Uint8Array<ArrayBuffer>;
  /** Offset of a region as large as one plane that is not shown. */
  readonly spare: number;
  readonly #u: number;
  readonly #v: number;

  constructor({ width, height }: VideoSize) {
    this.width = width;
    this.height = height;
    // One spare line after each plane: a copy that begins inside a line ends inside the line after its last.
    this.#u = width * (height + 1);
    this.#v = this.#u + (width / 2) * (height / 2 + 1);
    this.spare = this.#v + (width / 2) * (height / 2 + 1);
    this.data = new Uint8Array(this.spare + width * (height + 1));
  }

  /** The three planes, or the part of each that an even rectangle covers. */
  parts(place: Rectangle): readonly [PlanePart, PlanePart, PlanePart] {
    const [width, height, stride] = [place.width / 2, place.height / 2, this.width / 2];
    const corner = (place.top / 2) * stride + place.left / 2;
    const color = { data: this.data, stride, width, height };
    return [
      {
        data: this.data,
        offset: place.top * this.width + place.left,
        stride: this.width,
        width: place.width,
        height: place.height,
      },
      { ...color, offset: this.#u + corner },
      { ...color, offset: this.#v + corner },
    ];
  }

  fill(place: Rectangle, color: PlaneColor): void {
    const levels = [color.y, color.u, color.v];
    for (const [index, { data, offset, stride, width, height }] of this.parts(place).entries())
      for (let line = 0; line < height; line += 1)
        data.fill(levels[index] ?? 0, offset + line * stride, offset + line * stride + width);
  }

  /** Lays a stamp over the video with its corner at an even place; it must lie inside. */
  lay(stamp: Stamp, left: number, top: number): void {
    const [y, u, v] = this.parts({ left, top, width: stamp.width, height: stamp.height });
    blend(y, stamp.y, stamp.alpha);
    blend(u, stamp.u, stamp.alphaOfColor);
    blend(v, stamp.v, stamp.alphaOfColor);
  }

  /** Converts pixels of even sides to a part of the frame, two by two at a time. */
  put({ data, width, height, blueFirst }: Pixels, left: number, top: number): void {
    const [redAt, blueAt] = blueFirst ? [2, 0] : [0, 2];
    const [luma, u, v] = this.parts({ left, top, width, height });
    const levels = luma.data;
    for (let y = 0; y < height; y += 2) {
      let from = y * width * 4;
      let upper = luma.offset + y * luma.stride;
      let color = (y / 2) * u.stride;
      for (let x = 0; x < width; x += 2, from += 8, upper += 2, color += 1) {
        let [red, green, blue] = [0, 0, 0];
        for (let corner = 0; corner < 4; corner += 1) {
          const [beside, below] = [corner & 1, corner >> 1];
          const at = from + beside * 4 + below * width * 4;
          const [r, g, b] = [data[at + redAt]!, data[at + 1]!, data[at + blueAt]!];
          // The weights of `planeColor`, of 65536.
          levels[upper + beside + below * luma.stride] = (1_081_344 + 11_967 * r + 40_252 * g + 4_063 * b) >> 16;
          red += r;
          green += g;
          blue += b;
        }
        u.data[u.offset + color] = (33_685_504 - 6_593 * red - 22_191 * green + 28_784 * blue) >> 18;
        v.data[v.offset + color] = (33_685_504 + 28_784 * red - 26_142 * green - 2_641 * blue) >> 18;
      }
    }
  }

  /** A copy of the current video. */
  toFrame(): VideoFrame {
    const { width, height } = this;
    return new VideoFrame(this.data.subarray(0, this.spare), {
      format: 'I420',
      codedWidth: width,
      codedHeight: height,
      timestamp: 0,
      layout: [
        { offset: 0, stride: width },
        { offset: this.#u, stride: width / 2 },
        { offset: this.#v, stride: width / 2 },
      ],
    });
  }
}

/** The colours of BT.709, which players assume at this size. */
export function planeColor(red: number, green: number, blue: number): PlaneColor {
  return {
    y: Math.round(16 + 0.1826 * red + 0.6142 * green + 0.062 * blue),
    u: Math.round(128 - 0.1006 * red - 0.3386 * green + 0.4392 * blue),
    v: Math.round(128 + 0.4392 * red - 0.3989 * green - 0.0403 * blue),
  };
}

/** @param css such as `#1a2b3c` */
export function planeColorOf(css: string): PlaneColor {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(css.slice(at, at + 2), 16));
  return planeColor(red, green, blue);
}

/** @param pixels RGBA, not premultiplied, of even width and height */
export function stampOf({ data, width, height }: VideoSize & { readonly data: Uint8ClampedArray }): Stamp {
  const stamp = emptyStamp({ width, height });
  for (let at = 0; at < width * height; at += 1) {
    const { y } = planeColor(data[at * 4] ?? 0, data[at * 4 + 1] ?? 0, data[at * 4 + 2] ?? 0);
    stamp.y[at] = y;
    stamp.alpha[at] = data[at * 4 + 3] ?? 0;
  }
  for (let at = 0; at < stamp.u.length; at += 1) {
    const corner = Math.floor(at / (width / 2)) * 2 * width + (at % (width / 2)) * 2;
    const sums = [0, 0, 0, 0];
    for (const pixel of [corner, corner + 1, corner + width, corner + width + 1]) {
      const alpha = data[pixel * 4 + 3] ?? 0;
      for (let channel = 0; channel < 3; channel += 1)
        sums[channel] = (sums[channel] ?? 0) + alpha * (data[pixel * 4 + channel] ?? 0);
      sums[3] = (sums[3] ?? 0) + alpha;
    }
    const [red = 0, green = 0, blue = 0, alpha = 0] = sums;
    const { u, v } = planeColor(red / (alpha || 1), green / (alpha || 1), blue / (alpha || 1));
    stamp.u[at] = u;
    stamp.v[at] = v;
    stamp.alphaOfColor[at] = Math.round(alpha / 4);
  }
  return stamp;
}

/** The four corners that a rounded place leaves uncovered, in the colour of what surrounds it. */
export function cornersOf(radius: number, color: PlaneColor): readonly Stamp[] {
  return [0, 1, 2, 3].map((corner) => {
    const stamp = emptyStamp({ width: radius, height: radius });
    const alphaAt = (x: number, y: number): number => {
      const [fromLeft, fromTop] = [corner % 2 === 0 ? x : radius - 1 - x, corner < 2 ? y : radius - 1 - y];
      const distance = Math.hypot(radius - fromLeft - 0.5, radius - fromTop - 0.5);
      return Math.max(0, Math.min(1, distance - radius + 0.5)) * 255;
    };
    for (let at = 0; at < radius * radius; at += 1)
      stamp.alpha[at] = Math.round(alphaAt(at % radius, Math.floor(at / radius)));
    const half = radius / 2;
    for (let at = 0; at < half * half; at += 1) {
      const [x, y] = [(at % half) * 2, Math.floor(at / half) * 2];
      const sum = alphaAt(x, y) + alphaAt(x + 1, y) + alphaAt(x, y + 1) + alphaAt(x + 1, y + 1);
      stamp.alphaOfColor[at] = Math.round(sum / 4);
    }
    stamp.y.fill(color.y);
    stamp.u.fill(color.u);
    stamp.v.fill(color.v);
    return stamp;
  });
}

function emptyStamp({ width, height }: VideoSize): Stamp {
  const plane = (): Uint8Array => new Uint8Array(width * height);
  const color = (): Uint8Array => new Uint8Array((width / 2) * (height / 2));
  return { width, height, y: plane(), alpha: plane(), u: color(), v: color(), alphaOfColor: color() };
}

function blend({ data, offset, stride, width, height }: PlanePart, over: Uint8Array, alpha: Uint8Array): void {
  for (let line = 0, from = 0; line < height; line += 1) {
    const start = offset + line * stride;
    for (let at = start; at < start + width; at += 1, from += 1) {
      const opacity = alpha[from] ?? 0;
      if (opacity === 0) continue;
      const under = data[at] ?? 0;
      data[at] = under + (((over[from] ?? 0) - under) * opacity) / 255;
    }
  }
}
