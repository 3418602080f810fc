/** `inline` with a file name every browser understands (RFC 6266): plain ASCII first, the exact name beside it. */
export function contentDisposition(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return plain === name ? `inline; filename="${plain}"` : `inline; filename="${plain}"; filename*=UTF-8''${exact}`;
}
