/** In pixels of the recorded frame; all edges are even, as 4:2:0 frames need. */
export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface VideoSize {
  readonly width: number;
  readonly height: number;
}

export interface GalleryLayout {
  /** The rectangle of each seat, in the order of the seats. */
  readonly places: readonly Rectangle[];
  /** Between two seats, and around all of them. */
  readonly gap: number;
}

/** Maximum number of participants that stay recognizable, and of those beside a shared screen. */
export const participantsMax = 25;
export const participantsBesideScreenMax = 8;

const tileAspect = 16 / 9;
/** Lengths for a frame of this height; scaled with it. */
export const galleryDesignHeight = 720;
const galleryGap = 8;
/** A share of the frame's width: more would make the screen hard to read. */
const stripShareMost = 0.18;
/** Aspect ratios that differ by less count as equal: the difference would be a hairline of background. */
const galleryAspectTolerance = 0.02;

/**
 * Positions of all participants in the video. Participants only: the grid that makes them largest, its last row
 * centred. With a shared screen, which is the first seat: the screen large, participants in one column beside it. Pure.
 */
export function layOutGallery(
  seats: readonly { readonly kind: 'camera' | 'screen' }[],
  size: VideoSize,
): GalleryLayout {
  const gap = Math.max(2, evenWithin((galleryGap * size.height) / galleryDesignHeight));
  const inside = {
    left: gap,
    top: gap,
    width: evenWithin(size.width - 2 * gap),
    height: evenWithin(size.height - 2 * gap),
  };
  if (seats.length === 0) return { places: [], gap };
  const places = seats[0]?.kind === 'screen' ? beside(seats.length - 1, inside, gap) : grid(seats.length, inside, gap);
  return { places, gap };
}

/** The largest part of a place with the given aspect ratio: nothing is stretched or cut off. */
export function fitInto(place: Rectangle, aspect: number): Rectangle {
  const shape = place.width / place.height;
  if (!(aspect > 0) || Math.abs(aspect / shape - 1) < galleryAspectTolerance) return place;
  const width = aspect > shape ? place.width : Math.max(2, evenWithin(place.height * aspect));
  const height = aspect > shape ? Math.max(2, evenWithin(place.width / aspect)) : place.height;
  return {
    left: place.left + evenWithin((place.width - width) / 2),
    top: place.top + evenWithin((place.height - height) / 2),
    width,
    height,
  };
}

function grid(count: number, inside: Rectangle, gap: number): Rectangle[] {
  const tile = largestTile(count, inside, gap);
  const rows = Math.ceil(count / tile.columns);
  const usedHeight = rows * tile.height + (rows - 1) * gap;
  const top = inside.top + evenWithin((inside.height - usedHeight) / 2);
  return Array.from({ length: count }, (_none, index) => {
    const row = Math.floor(index / tile.columns);
    const inRow = Math.min(tile.columns, count - row * tile.columns);
    const usedWidth = inRow * tile.width + (inRow - 1) * gap;
    return {
      left: inside.left + evenWithin((inside.width - usedWidth) / 2) + (index % tile.columns) * (tile.width + gap),
      top: top + row * (tile.height + gap),
      width: tile.width,
      height: tile.height,
    };
  });
}

function largestTile(count: number, inside: Rectangle, gap: number): VideoSize & { readonly columns: number } {
  let best = { width: 0, height: 0, columns: 1 };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const width = (inside.width - (columns - 1) * gap) / columns;
    const height = (inside.height - (rows - 1) * gap) / rows;
    const tile = { ...tileWithin(width, height), columns };
    if (tile.width > best.width) best = tile;
  }
  return best;
}

function beside(participants: number, inside: Rectangle, gap: number): Rectangle[] {
  if (participants === 0) return [inside];
  const tile = tileWithin(inside.width * stripShareMost, (inside.height - (participants - 1) * gap) / participants);
  const screen = { ...inside, width: inside.width - tile.width - gap };
  const usedHeight = participants * tile.height + (participants - 1) * gap;
  const top = inside.top + evenWithin((inside.height - usedHeight) / 2);
  const strip = Array.from({ length: participants }, (_none, index) => ({
    left: screen.left + screen.width + gap,
    top: top + index * (tile.height + gap),
    width: tile.width,
    height: tile.height,
  }));
  return [screen, ...strip];
}

function tileWithin(width: number, height: number): VideoSize {
  const tileWidth = Math.min(width, height * tileAspect);
  return { width: Math.max(2, evenWithin(tileWidth)), height: Math.max(2, evenWithin(tileWidth / tileAspect)) };
}

/** The even number at or below it. */
export function evenWithin(value: number): number {
  return Math.floor(value / 2) * 2;
}
