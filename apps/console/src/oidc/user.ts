import { createHash } from 'node:crypto';
import { shownText } from '@rapporteur/contracts/shown-text';

const longestName = 80;
const longestAddress = 200;

/** `Ada Lovelace <ada@example.com>`: one line, bounded, and the address always whole in place. */
export function userName(claims: Readonly<Record<string, unknown>>): string {
  const text = (name: string, longest: number): string => {
    const value = claims[name];
    return typeof value === 'string' ? shownText(value.slice(0, longest)).trim() : '';
  };
  const name = (text('name', longestName) || text('preferred_username', longestName)).replaceAll(/[<>]/g, '');
  const email = text('email', longestAddress);
  if (name === '') return email || text('sub', longestName);
  return email === '' ? name : `${name} <${email}>`;
}

/** The id of a user in this deployment: the same for the same subject of the same provider. */
export function userId(issuer: string, subject: string): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex');
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, `$1-$2-8$3-${variant}$4-$5`);
}
