/** What the simulator needs from a logger; a pino logger fits. */
export type SimulatorLog = {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
};

export const silentLog: SimulatorLog = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** One JSON line per message, for the command line program. */
export function createLineLog(write: (line: string) => void): SimulatorLog {
  const at = (level: string) => (fields: Record<string, unknown>, message: string) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, name: 'simulator', message, ...fields })}\n`);
  return { info: at('info'), warn: at('warn'), error: at('error') };
}
