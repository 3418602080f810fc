import { conformanceTests } from '../../../jest.config.mjs';
import measured from './measured.config.mjs';

/** Nothing runs beside these: they measure several browsers at once. */
export default { ...measured, testRegex: conformanceTests };
