import { findChromium } from '@rapporteur/local-stack/chromium';
import { chromium } from 'playwright-core';

export interface Playback {
  readonly videoWidth: number;
  readonly videoHeight: number;
  readonly durationSeconds: number;
  readonly playedSeconds: number;
  readonly audioDecodedBytes: number;
  /** Position of the video after a seek to the middle. */
  readonly soughtSeconds: number;
}

/** Plays a video link in a browser as a user would: two seconds from the start, then a jump to the middle. */
export async function playInBrowser(url: string): Promise<Playback> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--autoplay-policy=no-user-gesture-required',
      '--disable-background-networking',
    ],
  });
  try {
    const page = await browser.newPage();
    // Runs inside the page, outside the types of this program.
    return (await page.evaluate(`(async () => {
      const video = document.createElement('video');
      video.src = ${JSON.stringify(url)};
      document.body.append(video);
      const once = (name) => new Promise((resolve, reject) => {
        video.addEventListener(name, resolve, { once: true });
        video.addEventListener('error', () => reject(new Error('media error ' + video.error?.code + ' ' + video.error?.message)), { once: true });
      });
      await once('loadedmetadata');
      await video.play();
      while (video.currentTime < 2 && !video.ended) await new Promise((resolve) => requestAnimationFrame(resolve));
      const playedSeconds = video.currentTime;
      const sought = once('seeked');
      video.currentTime = video.duration / 2;
      await sought;
      return {
        videoWidth: video.videoWidth,
        videoHeight: video.videoHeight,
        durationSeconds: video.duration,
        playedSeconds,
        audioDecodedBytes: video.webkitAudioDecodedByteCount,
        soughtSeconds: video.currentTime,
      };
    })()`)) as Playback;
  } finally {
    await browser.close();
  }
}
