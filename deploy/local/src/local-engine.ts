import { existsSync } from 'node:fs';

const recognizer = '/usr/bin/pocketsphinx_continuous';
const model = '/usr/share/pocketsphinx/model/en-us/en-us';

/** Whether Debian's packages `pocketsphinx` and `pocketsphinx-en-us` are installed. */
export function hasLocalEngine(): boolean {
  return existsSync(recognizer) && existsSync(model);
}
