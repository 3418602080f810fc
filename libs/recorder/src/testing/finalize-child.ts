// A process that finalizes a recording, until a test kills it. Parameter: FinalizeOptions as JSON, and the fragments'
// folder.
import { join } from 'node:path';
import { finalizeRecording } from '../index.ts';
import type { FinalizeOptions } from '../index.ts';

const [options = '', fragments = ''] = process.argv.slice(2);
const given = JSON.parse(options) as FinalizeOptions;
const audioFragmentPath = (index: number): string => join(fragments, `${index}.audio`);
process.stdout.write('begun\n');
await finalizeRecording({ ...given, attempts: given.attempts.map((attempt) => ({ ...attempt, audioFragmentPath })) });
