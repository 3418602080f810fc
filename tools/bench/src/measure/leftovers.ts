import process from 'node:process';

type End = () => Promise<unknown>;

const ends = new Set<End>();
let listens = false;

/**
 * Ends the resource also when this program receives a signal. @returns removes it from the list, and ends it; safe
 * twice
 */
export function endWithProgram(end: End): End {
  if (!listens) {
    listens = true;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void endAll());
  }
  let ending: Promise<unknown> | null = null;
  const once = (): Promise<unknown> => {
    ends.delete(once);
    ending ??= end();
    return ending;
  };
  ends.add(once);
  return once;
}

async function endAll(): Promise<void> {
  for (const end of [...ends].reverse()) await end().catch(() => undefined);
  process.exit(130);
}
