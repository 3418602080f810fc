export { storeLongAttempt } from './long-attempt.ts';
