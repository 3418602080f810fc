import type { Page } from 'playwright-core';
import { resultWithin } from './result-within.ts';

const screenshotTimeoutMs = 4_000;
const widest = 1_280;

/**
 * A JPEG of what the page shows, at most 1280 wide; null when the page gives none in time. Captured over CDP:
 * Playwright's own method inserts a style sheet into the page.
 */
export async function takeScreenshot(page: Page, quality: number): Promise<Buffer | null> {
  return await resultWithin(capture(page, quality), screenshotTimeoutMs);
}

async function capture(page: Page, quality: number): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  try {
    const { width, height } = page.viewportSize() ?? { width: widest, height: 720 };
    const clip = { x: 0, y: 0, width, height, scale: Math.min(1, widest / width) };
    const options = { format: 'jpeg', quality, optimizeForSpeed: true, ...(width > widest ? { clip } : {}) } as const;
    const { data } = await session.send('Page.captureScreenshot', options);
    return Buffer.from(data, 'base64');
  } finally {
    await session.detach().catch(() => undefined);
  }
}
