export { packRunner, runnerEntry } from './pack-runner.ts';
