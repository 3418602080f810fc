export { describeExit, endChild, hasEnded, lastOutput, untilReady } from './child-process.ts';
export type { ReadyOptions, StopSignal } from './child-process.ts';
export { findProcessesNaming, identify, isAlive, signalProcess } from './process-identity.ts';
export type { ProcessIdentity } from './process-identity.ts';
export { memoryBytesOf } from './process-memory.ts';
export { parseStat, readAllStats, readStat, sumCpuMs, treeBelow } from './process-stat.ts';
export type { ProcessStat } from './process-stat.ts';
export { runProgram } from './run-program.ts';
export type { ProgramResult, ProgramRun } from './run-program.ts';
