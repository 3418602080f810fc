import { drawFrame } from './draw-frame.page.ts';
import { evenWithin, fitInto, galleryDesignHeight, layOutGallery } from './gallery-layout.page.ts';
import type { VideoSize, Rectangle } from './gallery-layout.page.ts';
import type { GallerySeat, GalleryView } from './gallery-seats.page.ts';
import { cornersOf, FramePlanes, planeColorOf, stampOf } from './frame-planes.page.ts';
import type { PlaneColor, Stamp } from './frame-planes.page.ts';

const fontFamily = '"Noto Sans", "DejaVu Sans", "Liberation Sans", Arial, sans-serif';
const labelColor = 'rgba(12, 14, 18, 0.72)';
const letterColor = '#ffffff';

/** Text on a dark rounded ground, shortened where it does not fit. @param width the most it may take */
function drawLabel(text: string, width: number, fontPixels: number): Stamp | null {
  const font = `500 ${fontPixels}px ${fontFamily}`;
  const padding = Math.round(fontPixels * 0.6);
  const measured = letteringSurface({ width: 2, height: 2 });
  measured.font = font;
  const shown = shortened(text, width - 2 * padding, (part) => measured.measureText(part).width);
  if (shown === '') return null;
  const size = {
    width: evenAround(Math.min(width, measured.measureText(shown).width + 2 * padding)),
    height: evenAround(fontPixels * 1.65),
  };
  const surface = letteringSurface(size);
  surface.fillStyle = labelColor;
  surface.beginPath();
  surface.roundRect(0, 0, size.width, size.height, Math.round(size.height * 0.3));
  surface.fill();
  surface.font = font;
  surface.fillStyle = letterColor;
  surface.textBaseline = 'middle';
  surface.fillText(shown, padding, size.height / 2 + fontPixels * 0.06);
  return stampOf(surface.getImageData(0, 0, size.width, size.height));
}

/** A disc with the initials of a participant without video. */
function drawInitials(text: string, diameter: number, color: string): Stamp {
  const size = { width: evenAround(diameter), height: evenAround(diameter) };
  const surface = letteringSurface(size);
  surface.fillStyle = color;
  surface.beginPath();
  surface.arc(size.width / 2, size.height / 2, size.width / 2, 0, 2 * Math.PI);
  surface.fill();
  surface.font = `500 ${Math.round(diameter * 0.4)}px ${fontFamily}`;
  surface.fillStyle = letterColor;
  surface.textAlign = 'center';
  surface.textBaseline = 'middle';
  surface.fillText(text, size.width / 2, size.height / 2 + diameter * 0.02);
  return stampOf(surface.getImageData(0, 0, size.width, size.height));
}

/** The initials of the first and the last word; a question mark for a participant without a name. */
export function initialsOf(name: string | null): string {
  const words = (name ?? '').split(/[\s(),._/|-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  const initials = letters.map((word) => signsOf(word ?? '')[0] ?? '').join('');
  return initials === '' ? '?' : initials.toLocaleUpperCase();
}

/** The text, or as much of its beginning as fits with a sign that more follows; empty where nothing does. */
export function shortened(text: string, width: number, widthOf: (part: string) => number): string {
  const whole = text.trim();
  if (whole === '' || widthOf(whole) <= width) return whole;
  const letters = signsOf(whole);
  let [fits, tooMuch] = [0, letters.length];
  const cut = (count: number): string => `${letters.slice(0, count).join('').trimEnd()}…`;
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    if (widthOf(cut(middle)) <= width) fits = middle;
    else tooMuch = middle;
  }
  return fits === 0 ? '' : cut(fits);
}

/** Grapheme clusters. */
function signsOf(text: string): string[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

function letteringSurface({ width, height }: VideoSize): OffscreenCanvasRenderingContext2D {
  const surface = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!surface) throw new Error('The page gave no canvas to write names on.');
  return surface;
}

function evenAround(value: number): number {
  return Math.max(2, Math.ceil(value / 2) * 2);
}

const galleryGround = planeColorOf('#15171c');
/** Beside a camera's video that has another shape than its place. */
const cameraGround = planeColorOf('#0a0b0d');
const speakingColor = planeColorOf('#3ea6ff');
/** Colors of a disc with initials, and of its background. */
const calmColors = [
  ['#5b7fa6', '#222d3a'],
  ['#5d927c', '#22322c'],
  ['#a0784f', '#362b20'],
  ['#8a6fa8', '#2e2637'],
  ['#a65f6b', '#372428'],
  ['#5f93a0', '#213338'],
  ['#7f8a5c', '#2c2f21'],
  ['#757b8c', '#292c34'],
] as const;

/** A seat with its data that stays until the layout changes. */
interface Place {
  readonly seat: GallerySeat;
  readonly area: Rectangle;
  readonly ground: PlaneColor;
  readonly label: Stamp | null;
  readonly initials: Stamp | null;
  /** Number of the remaining participants, on the last place. */
  readonly more: Stamp | null;
  /** The rectangle of its video; null without video. */
  content: Rectangle | null;
}

/** Paints a gallery into one persistent frame: unchanged places are not painted again. */
export class GalleryPainter {
  readonly #planes: FramePlanes;
  readonly #report: (error: unknown) => void;
  readonly #unit: number;
  readonly #corners: readonly Stamp[];
  readonly #cornersInFrame: readonly Stamp[];
  readonly #cornersOfFrame: readonly Stamp[];
  readonly #frameWidth: number;
  #stamps = new Map<string, Stamp | null>();
  #places: Place[] = [];

  constructor(size: VideoSize, report: (error: unknown) => void) {
    this.#planes = new FramePlanes(size);
    this.#report = report;
    this.#unit = size.height / galleryDesignHeight;
    this.#frameWidth = Math.max(1, Math.floor(layOutGallery([], size).gap / 4)) * 2;
    const radius = Math.max(2, evenWithin(10 * this.#unit));
    this.#corners = cornersOf(radius, galleryGround);
    this.#cornersInFrame = cornersOf(radius, speakingColor);
    this.#cornersOfFrame = cornersOf(radius + this.#frameWidth, galleryGround);
  }

  /** Sets another layout; `paintAll` shows it. */
  arrange(view: GalleryView): void {
    const { places } = layOutGallery(view.seats, this.#planes);
    const before = this.#stamps;
    this.#stamps = new Map();
    this.#places = view.seats.flatMap((seat, index) => {
      const area = places[index];
      const more = index === view.seats.length - 1 ? view.leftOut : 0;
      return area ? [this.#placeOf(seat, area, { more, before })] : [];
    });
  }

  async paintAll(frameOf: (id: string) => VideoFrame | null): Promise<void> {
    const { width, height } = this.#planes;
    this.#planes.fill({ left: 0, top: 0, width, height }, galleryGround);
    for (const place of this.#places) {
      place.content = null;
      if (place.seat.speaking) this.#frame(place.area);
      await this.#paint(place, frameOf(place.seat.id));
    }
  }

  /** Paints the places whose video has changed. */
  async paintSome(ids: ReadonlySet<string>, frameOf: (id: string) => VideoFrame | null): Promise<void> {
    for (const place of this.#places) if (ids.has(place.seat.id)) await this.#paint(place, frameOf(place.seat.id));
  }

  toFrame(): VideoFrame {
    return this.#planes.toFrame();
  }

  #placeOf(
    seat: GallerySeat,
    area: Rectangle,
    around: { readonly more: number; readonly before: ReadonlyMap<string, Stamp | null> },
  ): Place {
    const [disc, ground] = calmColors[shadeOf(seat)] ?? calmColors[0];
    const stamp = (key: string, draw: () => Stamp | null): Stamp | null => {
      if (!this.#stamps.has(key)) this.#stamps.set(key, around.before.get(key) ?? this.#drawn(draw));
      return this.#stamps.get(key) ?? null;
    };
    const font = Math.round(Math.min(20 * this.#unit, Math.max(12 * this.#unit, area.height * 0.06)));
    const name = labelOf(seat);
    const widest = evenWithin(area.width - 4 * this.#inset);
    const diameter = evenWithin(area.height * 0.44);
    const camera = seat.kind === 'camera';
    const { more } = around;
    return {
      seat,
      area,
      ground: camera ? planeColorOf(ground) : galleryGround,
      label: stamp(`label ${widest} ${font} ${name}`, () => drawLabel(name, widest, font)),
      initials: camera
        ? stamp(`initials ${diameter} ${disc} ${initialsOf(seat.name)}`, () =>
            drawInitials(initialsOf(seat.name), diameter, disc),
          )
        : null,
      more: more === 0 ? null : stamp(`more ${widest} ${more}`, () => drawLabel(`+${more}`, widest, font)),
      content: null,
    };
  }

  /** A name that cannot be drawn is left out; the video is still painted. */
  #drawn(draw: () => Stamp | null): Stamp | null {
    try {
      return draw();
    } catch (error) {
      this.#report(error);
      return null;
    }
  }

  get #inset(): number {
    return Math.max(2, evenWithin(6 * this.#unit));
  }

  /** Around a place, in the gap between it and the next. */
  #frame({ left, top, width, height }: Rectangle): void {
    const edge = this.#frameWidth;
    const outer = { left: left - edge, top: top - edge, width: width + 2 * edge, height: height + 2 * edge };
    this.#planes.fill(outer, speakingColor);
    this.#round(outer, this.#cornersOfFrame);
  }

  async #paint(place: Place, video: VideoFrame | null): Promise<void> {
    const { seat, area, label, initials, more } = place;
    const content = video && fitInto(area, aspectOf(video));
    const covered = video !== null && content !== null && (await this.#draw(place, video, content));
    if (!covered) {
      place.content = null;
      this.#planes.fill(area, place.ground);
      if (initials) this.#layInMiddle(initials, area);
    }
    const inset = this.#inset;
    if (label) {
      const bottom = area.top + area.height;
      const shownBottom = content ? content.top + content.height : bottom;
      // A shared screen may use its whole area: its name is below it where there is room.
      const below = seat.kind === 'screen' && bottom - shownBottom >= label.height + inset;
      const top = below ? shownBottom + inset : bottom - label.height - (seat.kind === 'screen' ? 0 : inset);
      this.#planes.lay(label, area.left + inset, evenWithin(top));
    }
    if (more) this.#planes.lay(more, area.left + area.width - more.width - inset, area.top + inset);
    this.#round(area, seat.speaking ? this.#cornersInFrame : this.#corners);
  }

  /** @returns false where the video could not be read */
  async #draw(place: Place, video: VideoFrame, content: Rectangle): Promise<boolean> {
    const { seat, area } = place;
    if (!sameRectangle(place.content, content)) {
      const whole = content.width === area.width && content.height === area.height;
      if (!whole) this.#planes.fill(area, seat.kind === 'screen' ? galleryGround : cameraGround);
      place.content = content;
    }
    try {
      await drawFrame(this.#planes, video, content, seat.kind === 'camera');
      return true;
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  #layInMiddle(stamp: Stamp, { left, top, width, height }: Rectangle): void {
    if (stamp.width > width || stamp.height > height) return;
    this.#planes.lay(
      stamp,
      left + evenWithin((width - stamp.width) / 2),
      top + evenWithin((height - stamp.height) / 2),
    );
  }

  #round({ left, top, width, height }: Rectangle, corners: readonly Stamp[]): void {
    for (const [index, corner] of corners.entries()) {
      if (corner.width > width || corner.height > height) continue;
      const right = index % 2 === 1 ? width - corner.width : 0;
      const down = index > 1 ? height - corner.height : 0;
      this.#planes.lay(corner, left + right, top + down);
    }
  }
}

function labelOf({ kind, name }: GallerySeat): string {
  if (name === null) return '';
  return kind === 'screen' ? `${name} (screen)` : name;
}

/** The same participant always has the same colour. */
function shadeOf({ id, name }: GallerySeat): number {
  let sum = 0;
  for (const letter of name ?? id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return sum % calmColors.length;
}

function aspectOf(frame: VideoFrame): number {
  // The aspect ratio of the frame as it is shown: Chromium gives the size after the rotation.
  return frame.displayWidth / frame.displayHeight;
}

function sameRectangle(one: Rectangle | null, other: Rectangle): boolean {
  return one?.left === other.left && one.top === other.top && one.width === other.width && one.height === other.height;
}
