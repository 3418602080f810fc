// The second entry point: for programs that run tests.
export { evidenceVariable, failedTests, invalidSampleLines, newTestFolder } from './failed-tests.ts';
export type { FailedTest } from './failed-tests.ts';
export { writeEvidence } from './keep-on-failure.ts';
export { startEvidence } from '../stalls/open-evidence.ts';
export type { Evidence } from '../stalls/open-evidence.ts';
