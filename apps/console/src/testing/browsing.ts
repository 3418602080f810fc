/** A browser in a sign-in: it follows redirects and keeps cookies, each for its host (of any port) and path. */
export class Browsing {
  readonly #cookies: {
    readonly hostname: string;
    readonly path: string;
    readonly name: string;
    readonly value: string;
  }[] = [];

  /** Requests an address, and follows redirects to an address for which `until` is true, or to a page. */
  async go(address: string, options: { readonly until?: (url: URL) => boolean; readonly form?: URLSearchParams } = {}) {
    let [url, form] = [new URL(address), options.form];
    for (let step = 0; step < 20; step += 1) {
      if (options.until?.(url) === true) return { url, status: 0, text: '' };
      const response = await fetch(url, {
        method: form === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: { cookie: this.cookieFor(url) },
        ...(form === undefined ? {} : { body: form }),
        signal: AbortSignal.timeout(10_000),
      });
      this.keep(url, response.headers.getSetCookie());
      const next = response.headers.get('location');
      if (next === null) return { url, status: response.status, text: await response.text() };
      await response.body?.cancel();
      [url, form] = [new URL(next, url), undefined];
    }
    throw new Error(`Too many redirects, the last to ${url.href}.`);
  }

  cookieFor({ hostname, pathname }: URL): string {
    return this.#cookies
      .filter((cookie) => cookie.hostname === hostname && pathname.startsWith(cookie.path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  keep({ hostname }: URL, headers: readonly string[]): void {
    for (const header of headers) {
      const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
      const at = this.#cookies.findIndex(
        (cookie) => cookie.hostname === hostname && cookie.name === name && cookie.path === path,
      );
      if (at >= 0) this.#cookies.splice(at, 1);
      const expires = attributes.find((attribute) => /^expires=/i.test(attribute))?.slice(8);
      if (value !== '' && (expires === undefined || Date.parse(expires) > Date.now()))
        this.#cookies.push({ hostname, path, name, value });
    }
  }
}
