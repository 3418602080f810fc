/**
 * Prefix of every credential of the simulator: ids of apps, codes, refresh and access tokens. No real platform uses it.
 */
const simulatedStart = 'simulated-';

/**
 * The real platform, except for calls whose first argument is a credential of the simulator (a token, or an app by its
 * `clientId`): these use `simulated`. So a simulator never receives a real credential. Null: there is no simulator.
 */
export function bySimulatedCredentials<Platform extends object>(real: Platform, simulated: Platform | null): Platform {
  if (simulated === null) return real;
  return new Proxy(real, {
    get: (_target, name) => {
      const own: unknown = Reflect.get(real, name);
      if (typeof own !== 'function') return own;
      return (...values: unknown[]): unknown =>
        Reflect.apply(
          (isSimulated(values[0]) ? Reflect.get(simulated, name) : own) as () => unknown,
          undefined,
          values,
        );
    },
  });
}

function isSimulated(credential: unknown): boolean {
  if (typeof credential === 'string') return credential.startsWith(simulatedStart);
  if (typeof credential !== 'object' || credential === null || !('clientId' in credential)) return false;
  return isSimulated(credential.clientId);
}
