export { openTranscriptSchema } from '../schema/open-schema.ts';
export { indexTranscript } from '../search/words.store.ts';
export type { IndexedTranscript } from '../search/words.store.ts';
