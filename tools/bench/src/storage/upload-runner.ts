// One recording's uploads in a process of its own, so that it can be killed: `upload-runner.ts <UploadRunnerTask as JSON>`.
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { joinFragment, MultipartUpload, openUploads, UploadQueue } from '@rapporteur/bot-runner/testing';
import { createLogger, systemClock as clock } from '@rapporteur/service-runtime';

export interface UploadRunnerTask {
  readonly grant: { readonly url: string; readonly grant: string };
  readonly fragments: number;
  readonly fragmentMs: number;
  readonly fragmentBytes: number;
}

/** To the parent process. */
export type UploadRunnerMessage =
  | { readonly startedAtMs: number }
  | { readonly key: string; readonly sha256: string }
  | { readonly done: boolean };

const recordBytes = 1_500;
const partBytes = 5 * 1024 * 1024;
const fragmentsPerPart = 2;
const drainMs = 60_000;
const logger = createLogger('bench', 'silent');

const { grant, fragments, fragmentMs, fragmentBytes } = JSON.parse(process.argv[2] ?? '') as UploadRunnerTask;
const send = (message: UploadRunnerMessage): void => void process.send?.(message);
const outbound = { allow: ['loopback'], requireHttps: false, caFile: null, proxy: null };
const { store, multipart } = openUploads({ storage: grant, outbound }, { onStored: () => undefined, clock, logger });
const queue = new UploadQueue({ store, clock, logger });
const key = 'artifacts/video.mp4';
const upload = new MultipartUpload({ key, contentType: 'video/mp4', store: multipart, clock, logger });

send({ startedAtMs: Date.now() });
let parts = 0;
for (let sequence = 1; sequence <= fragments; sequence += 1) {
  await sleep(fragmentMs);
  const name = `segments/0001/${String(sequence).padStart(6, '0')}.m4s`;
  const bytes = joinFragment(randomBytes(fragmentBytes), randomBytes(recordBytes));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  void queue.add({ key: name, content: { bytes }, contentType: 'video/mp4' });
  send({ key: name, sha256 });
  if (sequence % fragmentsPerPart !== 0) continue;
  parts += 1;
  upload.add(parts, [{ bytes: randomBytes(partBytes) }]);
}
const head = [{ bytes: randomBytes(partBytes) }];
const bytes = partBytes * (parts + 1);
const finished = await upload.finish({ name: 'video', head, tail: [], parts, bytes });
const isDrained = await queue.drain(drainMs);
send({ done: isDrained && finished !== null });
process.disconnect();
