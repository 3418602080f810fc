import type { GalleryPlace } from '@rapporteur/recording-check';

/** Four participants, one without a camera, and where a recording of the gallery shows them. */
export const galleryParticipants = [
  { name: 'Alice Martin' },
  { name: 'Bruno Keller' },
  { name: 'Callum Reid', camera: false },
  { name: 'Daniela Rossi' },
];

/** Milliseconds that a change in the room may take to reach the video: delay of the page and of the recorder. */
export const settledMs = 4_000;

const participantOf = (camera: boolean | undefined, index: number): number | null => (camera === false ? null : index);

/** In two rows. */
export const galleryGrid: readonly GalleryPlace[] = galleryParticipants.map(({ name, camera }, index) => {
  const area = { left: index % 2 === 0 ? 18 : 644, top: index < 2 ? 8 : 364, width: 618, height: 348 };
  // Larger than the tile by an edge, which is cropped instead of scaled.
  const video = { left: area.left - 10, top: area.top - 6, width: 640, height: 360 };
  return { name, participant: participantOf(camera, index), area, video };
});

/** In a column beside a screen. */
export const besideScreen: readonly GalleryPlace[] = galleryParticipants.map(({ name, camera }, index) => ({
  name,
  participant: participantOf(camera, index),
  area: { left: 1_046, top: 96 + index * 134, width: 226, height: 126 },
}));
