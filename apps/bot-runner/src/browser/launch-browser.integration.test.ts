import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findChromium } from '@rapporteur/local-stack/chromium';
import { chromium } from 'playwright-core';
import { processesNaming } from '../testing/bot-processes.ts';
import { chromiumArguments } from './chromium-switches.ts';
import { launchBrowser } from './launch-browser.ts';

const executablePath = findChromium();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapporteur-browser-'));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));

/** A program in place of Chromium. */
async function program(name: string, lines: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\n${lines}\n`);
  await chmod(file, 0o700);
  return file;
}

describe('the browser of a bot', () => {
  test('has the switches that Playwright would give it', async () => {
    const list = join(folder, 'switches');
    const profile = join(folder, 'profile-of-playwright');
    const standIn = await program('telling', `printf '%s\\n' "$@" > ${list}; exit 1`);
    const launch = chromium.launchPersistentContext(profile, {
      executablePath: standIn,
      headless: true,
      chromiumSandbox: process.getuid?.() !== 0,
    });
    await expect(launch).rejects.toThrow();
    const theirs = (await readFile(list, 'utf8')).trim().split('\n');
    // A second list of features would replace the first: ours is one of our own. And a muted tab has no audio to record.
    const wanted = theirs.filter((word) => !word.startsWith('--disable-features=') && word !== '--mute-audio');
    expect(chromiumArguments(null, profile)).toEqual(expect.arrayContaining(wanted));
    expect(chromiumArguments(null, profile, false)).toContain('--no-sandbox');
  });

  test('shows pages of 1280x720 in English, and nothing of it stays when it is closed', async () => {
    const profileFolder = join(folder, 'profile-1');
    const browser = await launchBrowser({ executablePath, profileFolder, simulator: null });
    await browser.sized;
    const pages = [browser.page, await browser.newPage()];
    for (const page of pages) {
      expect(await page.evaluate(() => [innerWidth, innerHeight, navigator.language])).toEqual([1280, 720, 'en-US']);
    }
    await browser.close();
    await browser.close();
    expect(await processesNaming(profileFolder)).toEqual([]);
    expect(browser.page.isClosed()).toBe(true);
  });

  test('says what to do when there is none, or when it ends at once', async () => {
    const options = { profileFolder: join(folder, 'profile-2'), simulator: null };
    const absent = launchBrowser({ ...options, executablePath: join(folder, 'absent') });
    await expect(absent).rejects.toThrow(
      /Chromium did not start from .*absent: .*ENOENT.* Set RAPPORTEUR_CHROMIUM_PATH/,
    );
    const failing = launchBrowser({
      ...options,
      executablePath: await program('failing', 'echo no display >&2; exit 3'),
    });
    await expect(failing).rejects.toThrow(/it ended with code 3\. no display Set RAPPORTEUR_CHROMIUM_PATH/);
  });
});
