import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicDocument } from '@rapporteur/contracts/public-api';
import { ApiDocument } from './document.ts';

/** Both generations of the public API. The legacy document is in the generator's output folder, next to the first. */
export function apiDocuments(): ApiDocument[] {
  return [new ApiDocument('v2', publicDocument), ...legacyDocument()];
}

function legacyDocument(): ApiDocument[] {
  const folder = dirname(fileURLToPath(import.meta.resolve('@rapporteur/contracts/public-api')));
  try {
    return [new ApiDocument('v1', JSON.parse(readFileSync(join(folder, 'generated/legacy.v1.json'), 'utf8')))];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
