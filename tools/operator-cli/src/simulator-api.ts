import { StateError } from './sentences.ts';

/** Requests to the simulator's control API; each throws a StateError with the simulator's own sentence. */
export interface SimulatorApi {
  request(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown>;
}

const timeoutMs = 120_000;

export function createSimulatorApi(url: () => string): SimulatorApi {
  return {
    request: async (method, path, body) => {
      const response = await fetch(`${url()}${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      }).catch((error: unknown) => {
        throw new StateError(
          `The simulator does not respond at ${url()}. Start Rapporteur with it (npm start), or name it with --simulator-url.`,
          { cause: error },
        );
      });
      const parsed = (await response.json().catch(() => ({}))) as { message?: string; error?: string };
      if (response.ok) return parsed;
      throw new StateError(parsed.message ?? parsed.error ?? `The simulator responded with ${response.status}.`);
    },
  };
}
