import { startSharedStack } from '../src/shared-stack.ts';

/** One stack for the whole run; test files find it through the environment. */
export default async function setup() {
  globalThis.rapporteurEndSharedStack = await startSharedStack();
}
