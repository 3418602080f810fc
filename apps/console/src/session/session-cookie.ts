import type { CookieOptions, Request, Response } from 'express';

/** Attributes of the session cookie: not readable by scripts, not sent with requests of other sites. */
export interface SessionCookie {
  /** Null without one, or with two of the same name. */
  read(request: Request): string | null;
  set(response: Response, value: string, expiresAt: number): void;
  clear(response: Response): void;
}

/** With https, the prefix `__Host-` binds the cookie to this host: no other host can set one of this name. */
export function createSessionCookie({ secure }: { readonly secure: boolean }): SessionCookie {
  const name = secure ? '__Host-rapporteur_console' : 'rapporteur_console';
  const options: CookieOptions = { httpOnly: true, sameSite: 'strict', secure, path: secure ? '/' : '/console' };
  return {
    read: (request) => {
      const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
      const values = pairs.filter(([key]) => key === name).map(([, value = '']) => value);
      return values.length === 1 ? (values[0] ?? null) : null;
    },
    set: (response, value, expiresAt) =>
      void response.cookie(name, value, { ...options, expires: new Date(expiresAt) }),
    clear: (response) => void response.clearCookie(name, options),
  };
}
