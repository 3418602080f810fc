import { createLogger } from '@rapporteur/service-runtime';
import type { Logger } from '@rapporteur/service-runtime';

/** A logger for tests that look at behaviour, not at words. */
export const quietLogger: Logger = createLogger('bot-runner-test', 'silent');
