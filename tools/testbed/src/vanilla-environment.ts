import { mock } from 'node:test';
import vm from 'node:vm';
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import { TestEnvironment } from 'jest-environment-node';

/**
 * Node's environment whose context is a vanilla one: its global object is an ordinary object. In Jest's own, every access
 * to a global, `Math` and `Promise` too, goes through interceptors of Node and a proxy of Jest, which takes many times
 * the CPU time. What tests see is the same: a realm of their own for each file.
 */
export class VanillaEnvironment extends TestEnvironment {
  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    const { createContext, constants } = vm;
    // Jest has no option for it.
    const replaced = mock.method(vm, 'createContext', () => createContext(constants.DONT_CONTEXTIFY));
    try {
      super(config, context);
    } finally {
      replaced.mock.restore();
    }
  }
}
