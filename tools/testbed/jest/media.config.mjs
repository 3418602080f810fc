import { browserTests, preciseTests } from '../../../jest.config.mjs';
import { browserJest } from './browser-jest.mjs';

/** All tests with a browser, one at a time: for running some of them by hand. */
export default browserJest([...preciseTests, ...browserTests], 1);
