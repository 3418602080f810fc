import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findChromium } from '@rapporteur/local-stack/chromium';
import { processesNaming } from '../testing/bot-processes.ts';
import { chromiumArguments } from './chromium-arguments.ts';
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
  test('is not muted, and has the features off that a bot does without', async () => {
    const list = join(folder, 'switches');
    const standIn = await program('telling', `printf '%s\\n' "$@" > ${list}; exit 1`);
    const options = { executablePath: standIn, profileFolder: join(folder, 'profile-3'), simulator: null };
    await expect(launchBrowser({ ...options, sandbox: false })).rejects.toThrow();
    const given = (await readFile(list, 'utf8')).trim().split('\n');
    expect(given).toEqual(expect.arrayContaining(['--headless', '--no-sandbox', ...chromiumArguments(null)]));
    expect(given).not.toContain('--mute-audio');
    // Chromium reads the last list only.
    const features = given.filter((word) => word.startsWith('--disable-features='));
    expect(features.at(-1)).toContain('WebUIOmniboxPopup');
  });

  test('shows pages of 1280x720 in English, and nothing of it stays when it is closed', async () => {
    const profileFolder = join(folder, 'profile-1');
    const browser = await launchBrowser({ executablePath, profileFolder, simulator: null });
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
      /Chromium did not start from .*absent: Failed to launch .*\. Set RAPPORTEUR_CHROMIUM_PATH/,
    );
    const failing = launchBrowser({
      ...options,
      executablePath: await program('failing', 'echo no display >&2; exit 3'),
    });
    await expect(failing).rejects.toThrow(/from .*failing: no display\. Set RAPPORTEUR_CHROMIUM_PATH/);
  });
});
