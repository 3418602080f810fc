export { UnstalledRunner as default } from '../src/stalls/unstalled-runner.ts';
