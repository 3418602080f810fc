import { createLogger } from '@rapporteur/service-runtime';
import type { Logger } from '@rapporteur/service-runtime';

/** A logger for tests that do not check log messages. */
export const quietLogger: Logger = createLogger('bot-runner-test', 'silent');
