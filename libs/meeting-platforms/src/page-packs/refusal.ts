import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';

/** Why a page pack is refused: one sentence that names the field. */
export function refusal(field: string, why: string): Failure {
  return fail('VALIDATION', { message: `The page pack is refused: ${field === '' ? '' : `${shown(field)} `}${why}` });
}

const mostShown = 120;

/** A name from outside within a sentence. */
export function shown(name: string): string {
  const plain = name.replaceAll(/\p{C}/gu, '\uFFFD').toWellFormed();
  return plain.length > mostShown ? `${plain.slice(0, mostShown).toWellFormed()}…` : plain;
}
