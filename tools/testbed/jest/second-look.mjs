import { jest } from '@jest/globals';

// These tests judge picture, sound and time on whatever machine they run. A machine that was starved for a moment gets a
// second look; the first failure is printed all the same, and what is wrong fails twice.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
