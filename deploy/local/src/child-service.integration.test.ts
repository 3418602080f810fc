import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { childService } from './child-service.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'rapporteur-child-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a child that cannot start is named with its own reason and its log', async () => {
  const entry = join(folder, 'entry.mjs');
  const reason = 'The schema bots was migrated by a newer build (X1). Start that build, or restore a backup.';
  writeFileSync(entry, `process.send({ failed: ${JSON.stringify(reason)} }, () => process.exit(1));`);
  const child = childService(
    { name: 'bot-scheduler', entry, stopMs: 1_000 },
    { logFolder: folder, onStarted: () => undefined, say: () => undefined },
  );
  await expect(child.start()).rejects.toThrow(
    `bot-scheduler ended while starting (exit code 1). ${reason} Its log: ${join(folder, 'bot-scheduler.log')}`,
  );
  await child.stop();
});
