// A process that puts an endless object, until a test kills it. Parameters: DriverOptions as JSON, the key.
import { setTimeout as sleep } from 'node:timers/promises';
import { openDriver } from './open-driver.ts';
import type { DriverOptions } from './open-driver.ts';

const [options = '', key = ''] = process.argv.slice(2);
const store = await openDriver(JSON.parse(options) as DriverOptions);
let sentBytes = 0;

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield Buffer.alloc(1024 * 1024, 7);
    sentBytes += 1024 * 1024;
    if (sentBytes === 20 * 1024 * 1024) process.stdout.write('well under way\n');
    if (sentBytes > 20 * 1024 * 1024) await sleep(100);
  }
}

await store.put(key, endless(), { contentType: 'video/mp4' });
