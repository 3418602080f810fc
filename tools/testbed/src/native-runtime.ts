import { createRequire, registerHooks } from 'node:module';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import type { jest } from '@jest/globals';
import type { NativeEnvironment } from './native-environment.ts';

type Globals = Readonly<Record<string, (...args: unknown[]) => unknown>>;

const require = createRequire(import.meta.url);
const globalsUrl = 'rapporteur-jest:globals';
const globalsKey = Symbol.for('rapporteur.jest-globals');
const names = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'it', 'test'] as const;

let current: Globals = {};
let timers: NativeEnvironment | null = null;
let imports = 0;

/** The functions of the file that runs: a module that several files import keeps these. */
const stable = Object.fromEntries(
  names.map((name) => [
    name,
    new Proxy(() => undefined, {
      apply: (_target, _this, args: unknown[]) => current[name]!(...args),
      get: (_target, key) => Reflect.get(current[name]!, key) as unknown,
    }),
  ]),
);

const jestObject: Partial<typeof jest> = {
  spyOn: ((...args: unknown[]) => Reflect.apply(timers!.moduleMocker.spyOn, timers!.moduleMocker, args)) as never,
  useFakeTimers: (options) => {
    timers!.fakeTimersModern.useFakeTimers(options as never);
    return jestObject as typeof jest;
  },
  useRealTimers: () => {
    timers!.fakeTimersModern.useRealTimers();
    return jestObject as typeof jest;
  },
  advanceTimersByTimeAsync: (ms: never) => timers!.fakeTimersModern.advanceTimersByTimeAsync(ms),
};

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals'
      ? { url: globalsUrl, format: 'module', shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) => {
    if (url === globalsUrl) {
      const source = `export const { ${names.join(', ')}, expect, jest } = globalThis[Symbol.for('${globalsKey.description}')];`;
      return { format: 'module', source, shortCircuit: true };
    }
    if (!url.endsWith('.tsx')) return next(url, context);
    const text = readFileSync(fileURLToPath(url), 'utf8');
    const { code } = transformSync(text, { loader: 'tsx', format: 'esm', jsx: 'automatic', sourcemap: 'inline' });
    return { format: 'module', source: code, shortCircuit: true };
  },
});

/**
 * Jest's runtime over Node's own module loader: a worker loads each module once for all of its test files, where
 * Jest's loads everything anew for each. Test files share a realm; `NativeEnvironment` restores what they may change.
 */
export class NativeRuntime {
  constructor(_config: unknown, environment: NativeEnvironment) {
    timers = environment;
  }

  /** Jest's framework with a state of its own for each file. */
  requireInternalModule(path: string): unknown {
    delete require.cache[path];
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
    return require(path) as unknown;
  }

  requireModule(path: string): unknown {
    return require(path) as unknown;
  }

  setGlobalsForRuntime(globals: Globals): void {
    current = globals;
    Object.assign(globalThis, { [globalsKey]: { ...stable, expect: globals['expect'], jest: jestObject } });
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  async unstable_importModule(path: string): Promise<unknown> {
    imports += 1;
    return import(`${pathToFileURL(path).href}?${imports}`) as Promise<unknown>;
  }

  getSourceMaps(): Map<string, string> {
    return new Map();
  }

  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }

  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}
}
export default NativeRuntime;
