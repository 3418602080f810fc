import { findChromium } from '@rapporteur/local-stack/chromium';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

/** Debian's Chromium without a GPU, with its sandbox unless root starts it; `args` are further flags of its command line. */
export async function launchTestBrowser(...args: readonly string[]): Promise<Browser> {
  return await chromium.launch({
    executablePath: findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-gpu', ...args],
  });
}
