/**
 * The pages load from and connect to their own origin only; scripts are files.
 * @param styles the directives of style sheets, in which the pages differ
 */
export function contentSecurityPolicy(styles: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    styles,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
