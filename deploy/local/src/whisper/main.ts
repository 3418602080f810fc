import { createServer } from 'node:http';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { installWhisper } from './install-whisper.ts';

/** The root of the checkout. */
const [, , root = ''] = process.argv;
const retryMs = 60_000;
/** Until the first package has come. */
const expectedMsPerPackage = 3_000;
let reason = 'The local engine is being installed.';

// A child of the stack, which does not wait for the installation: everything else works without it.
process.send?.({ ready: 'whisper' });
const ending = new AbortController();
process.once('SIGTERM', () => ending.abort());
process.once('disconnect', () => ending.abort());

// In place of the engine, at its port, in its form: recordings wait, and their status states why.
createServer((_request, response) => {
  const body = { status: 'unavailable', reason, error: { message: reason, type: 'server_error' } };
  const headers = { 'content-type': 'application/json', 'retry-after': '10', connection: 'close' };
  response.writeHead(503, headers).end(JSON.stringify(body));
}).listen(Number(process.env['RAPPORTEUR_PORT']), '127.0.0.1');

while (!ending.signal.aborted) {
  const startedAt = Date.now();
  try {
    const { python, sourceFolder, modelFolder } = await installWhisper(root, ending.signal, (done, all) => {
      const msPerPackage = done === 0 ? expectedMsPerPackage : (Date.now() - startedAt) / done;
      const minutes = Math.ceil(((all - done) * msPerPackage + expectedMsPerPackage) / 60_000);
      reason = `The local engine is being installed: ${done} of ${all} packages, ready in about ${minutes} min.`;
    });
    // A transcript can be delayed; a recording cannot.
    setPriority(10);
    process.execve?.(python, [python, '-m', 'whisper_server'], {
      ...process.env,
      PYTHONPATH: sourceFolder,
      PYTHONDONTWRITEBYTECODE: '1',
      RAPPORTEUR_MODEL_FOLDER: modelFolder,
    } as Record<string, string>);
  } catch (error) {
    if (ending.signal.aborted) break;
    reason = `The local engine could not be installed (logs/whisper.log), another attempt follows: ${(error as Error).message}`;
    process.stderr.write(`${reason}\n`);
    await sleep(retryMs, undefined, { signal: ending.signal }).catch(() => undefined);
  }
}
process.exit(0);
