import { fail } from '@rapporteur/failures';
import { unstorableText } from './json-text.ts';

const maximumParameters = 100;

/**
 * Every value of every name, decoded. Throws VALIDATION for text that is not percent-encoded UTF-8 or cannot be stored.
 */
export function readQuery(url: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const start = url.indexOf('?');
  if (start === -1 || start === url.length - 1) return found;
  const pairs = url.slice(start + 1).split('&', maximumParameters + 1);
  if (pairs.length > maximumParameters) {
    throw fail('VALIDATION', { message: `query holds more than ${maximumParameters} parameters` });
  }
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decoded(pair.slice(equals + 1));
    const problem = unstorableText(name, 'query') ?? unstorableText(value, `query/${name}`);
    if (problem !== null) throw fail('VALIDATION', { message: problem });
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw fail('VALIDATION', { message: 'The query is not valid percent-encoded UTF-8.' });
  }
}
