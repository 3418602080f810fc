export { findProcessesNaming, identify, isAlive, signalProcess } from './process-identity.ts';
export type { ProcessIdentity } from './process-identity.ts';
