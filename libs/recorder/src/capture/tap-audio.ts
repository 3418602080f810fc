import type { ReadAudio } from '@rapporteur/page-capture';
import type { RecorderLogger, RecorderAudioTap } from '../recorder-ports.ts';

/** 100 ms of 16 bit samples. */
const bytesPerBlock = (rateHz: number): number => (rateHz / 10) * 2;

/** Passes the tapped mix to its consumer. A failure of the consumer does not affect the recording. */
export function handOutAudio(tap: RecorderAudioTap | null, logger: RecorderLogger): (tapped: ReadAudio | null) => void {
  let droppedBefore = 0;
  let failed = false;
  return (tapped) => {
    if (tap === null || tapped === null) return;
    const { blocks, dropped } = tapped;
    if (dropped > droppedBefore)
      logger.warn({ dropped: dropped - droppedBefore }, 'Audio to listen along was given up: the recording is late.');
    droppedBefore = dropped;
    for (const { pcm, startMs } of blocks) {
      if (pcm.length !== bytesPerBlock(tap.rateHz)) continue;
      try {
        tap.onAudio(pcm, startMs);
      } catch (error) {
        if (!failed) logger.error({ err: error }, 'A consumer of the live audio failed; the recording continues.');
        failed = true;
      }
    }
  };
}
