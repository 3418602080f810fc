import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findChromium } from '@rapporteur/local-stack/chromium';
import { certificateFor } from '@rapporteur/outbound-http/testing/certificate';
import { processesNaming } from '../testing/bot-processes.ts';
import { chromiumArguments, launchBrowser } from './launch-browser.ts';

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
    expect(given).toEqual(
      expect.arrayContaining(['--headless', '--no-sandbox', ...chromiumArguments({ simulator: null, proxy: null })]),
    );
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

  test('opens pages of a private authority when it is given, and not otherwise', async () => {
    const certificate = certificateFor('localhost');
    const caFile = join(folder, 'authority.pem');
    // A public authority beside it, as bundles have them.
    await writeFile(caFile, `${rootCertificates[0]}\n${certificate.cert}\n`);
    const server = createServer(certificate, (_request, response) => void response.end('a trusted page'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
    try {
      const contentWith = async (name: string, options: { readonly caFile?: string }): Promise<string> => {
        const browser = await launchBrowser({
          executablePath,
          profileFolder: join(folder, name),
          simulator: null,
          ...options,
        });
        const content = await browser.page.goto(url).then(
          () => browser.page.content(),
          (error: Error) => error.message,
        );
        await browser.close();
        return content;
      };
      expect(await contentWith('profile-4', {})).toContain('ERR_CERT_AUTHORITY_INVALID');
      expect(await contentWith('profile-5', { caFile })).toContain('a trusted page');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('says what is wrong with authorities that it cannot trust', async () => {
    const caFile = join(folder, 'empty.pem');
    await writeFile(caFile, 'no certificate');
    const options = { executablePath, profileFolder: join(folder, 'profile-6'), simulator: null, caFile };
    await expect(launchBrowser(options)).rejects.toThrow(`${caFile} has no certificate in PEM.`);
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
