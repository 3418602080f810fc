export { EvidenceEnvironment as default } from '../src/evidence/test-environment.ts';
