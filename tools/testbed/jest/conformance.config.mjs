import { conformanceTests } from '../../../jest.config.mjs';
import measured from './measured.config.mjs';

/** One at a time: each measures several browsers at once. */
export default { ...measured, testRegex: conformanceTests };
