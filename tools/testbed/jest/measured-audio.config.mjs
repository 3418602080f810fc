import { measuredAudioTests } from '../../../jest.config.mjs';
import measured from './measured.config.mjs';

/** Two at a time: a bot that records the audio only needs a fifth of a core. */
export default { ...measured, testRegex: measuredAudioTests, maxWorkers: 2 };
