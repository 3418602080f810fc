import { browserTests } from '../../../jest.config.mjs';
import { browserJest } from './browser-jest.mjs';

export default browserJest(browserTests, 2);
