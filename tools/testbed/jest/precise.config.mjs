import { preciseTests } from '../../../jest.config.mjs';
import { browserJest } from './browser-jest.mjs';

export default browserJest(preciseTests, 1);
