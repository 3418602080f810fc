import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** The key of the tracer of the process: `@opentelemetry/api` keeps the first one that is set. */
const telemetryKey = Symbol.for('opentelemetry.js.api.1');

/** The realm of the worker itself (`NativeRuntime`); what a file changed of it is restored after the file. */
export class NativeEnvironment implements Pick<JestEnvironment<unknown>, 'getVmContext'> {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #environment = { ...process.env };
  readonly #console = globalThis.console;
  readonly #exit = process.exit.bind(process);

  constructor({ projectConfig }: JestEnvironmentConfig) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  getVmContext(): null {
    return null;
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    for (const name of Object.keys(process.env)) if (!(name in this.#environment)) delete process.env[name];
    Object.assign(process.env, this.#environment);
    Reflect.deleteProperty(globalThis, telemetryKey);
    globalThis.console = this.#console;
    process.exit = this.#exit;
  }
}
