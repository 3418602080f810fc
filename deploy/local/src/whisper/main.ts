import { setPriority } from 'node:os';
import { rootOf } from '../stack.ts';
import { installWhisper } from './install-whisper.ts';

// A child of the stack, which does not wait for the installation: everything else works without it.
process.send?.({ ready: 'whisper' });
const ending = new AbortController();
process.once('SIGTERM', () => ending.abort());
process.once('disconnect', () => ending.abort());
try {
  const { python, sourceFolder, modelFolder } = await installWhisper(
    rootOf(import.meta.dirname + '/..'),
    ending.signal,
  );
  // A transcript can be delayed; a recording cannot.
  setPriority(10);
  process.execve?.(python, [python, '-m', 'whisper_server'], {
    ...process.env,
    PYTHONPATH: sourceFolder,
    PYTHONDONTWRITEBYTECODE: '1',
    RAPPORTEUR_MODEL_FOLDER: modelFolder,
  } as Record<string, string>);
} catch (error) {
  if (ending.signal.aborted) process.exit(0);
  process.stderr.write(`The local transcription engine could not be installed. ${(error as Error).message}\n`);
  process.exit(1);
}
