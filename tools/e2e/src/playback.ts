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

/** Runs inside the page, outside the types of this program. */
const play = `async (url) => {
  const video = document.createElement('video');
  video.src = url;
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
}`;

/** Plays these links in one page at the same time, each as a user would: two seconds from the start, then a jump to the middle. */
export async function playInBrowser<const Urls extends readonly string[]>(
  urls: Urls,
): Promise<{ -readonly [Index in keyof Urls]: Playback }> {
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
    return await page.evaluate(`Promise.all(${JSON.stringify(urls)}.map(${play}))`);
  } finally {
    await browser.close();
  }
}
