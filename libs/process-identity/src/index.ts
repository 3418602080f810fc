export { findProcessesNaming, identify, isAlive, signalProcess } from './process-identity.ts';
export type { ProcessIdentity } from './process-identity.ts';
export { parseStat, readAllStats, readStat, sumCpuMs, treeBelow } from './process-stat.ts';
export type { ProcessStat } from './process-stat.ts';
