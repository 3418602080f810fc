export { createTestDatabase, testNats } from './addresses.ts';
export type { OpenSchema, TestDatabase } from './addresses.ts';
export { codeBlocks, documentedCommands, shellBlocks } from './documented-commands.ts';
export type { CodeBlock } from './documented-commands.ts';
export { copyEvidence, keepLogsOf, keepOnFailure, sampleBegan, writeEvidence } from './evidence/keep-on-failure.ts';
export type { EvidenceCollector } from './evidence/keep-on-failure.ts';
export { freePort } from '@rapporteur/local-stack';
export {
  childrenOf,
  freezeProcesses,
  inSequences,
  injectFaults,
  planFaults,
  signalProcesses,
  startFreezingProxy,
} from './faults.ts';
export type { FaultRow, FreezingProxy, PlannedFault } from './faults.ts';
export { cpuMsOfReading, longestTurnMs, slowestReading } from './hostile-text.ts';
export { barsImage, measureTone, meanColours, readWav, tone } from './test-media.ts';
export type { Colour, MeasuredTone } from './test-media.ts';
export { startOwnNats } from './own-nats.ts';
export type { OwnNats } from './own-nats.ts';
export { installPythonClient } from './python-client.ts';
export { doubtfulRequests, exchangeRaw, smuggledPath } from './raw-requests.ts';
export { seeded } from '@rapporteur/simulator/seeded';
export { serviceProcesses } from './service-process.ts';
export type { ServiceProcess, ServiceProcesses } from './service-process.ts';
export { waitFor } from './waiting.ts';
