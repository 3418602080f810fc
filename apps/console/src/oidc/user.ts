import { createHash } from 'node:crypto';

const longestName = 200;

/** `Ada Lovelace <ada@example.com>` for logs: one line, bounded, whatever the provider returns. */
export function userName(claims: Readonly<Record<string, unknown>>): string {
  const text = (name: string): string => {
    const value = claims[name];
    return typeof value === 'string' ? value.slice(0, longestName).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '') : '';
  };
  const [name, email] = [text('name') || text('preferred_username'), text('email')];
  if (name === '') return email === '' ? text('sub').slice(0, longestName) : email;
  return (email === '' ? name : `${name} <${email}>`).slice(0, longestName);
}

/** The id of a user in this deployment: the same for the same subject of the same provider. */
export function userId(issuer: string, subject: string): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex');
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
