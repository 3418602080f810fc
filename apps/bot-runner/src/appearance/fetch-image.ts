import type { OutboundResponse, OutboundHttp } from '@rapporteur/outbound-http';
import { ImageRefused } from './inspect-image.ts';

const largestImageBytes = 10 * 1024 * 1024;
const fetchTimeoutMs = 10_000;
const mostRedirects = 3;

/**
 * Fetches an image from the customer's address. Redirects are followed, each under the same rules as the first address.
 * @throws Error with a message for the log when no image arrives within 10 s
 */
export async function fetchImage(
  outbound: Pick<OutboundHttp, 'request'>,
  address: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const endMs = performance.now() + fetchTimeoutMs;
  let url = address;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const response = await outbound.request({
      url,
      method: 'GET',
      headers: {
        accept: 'image/jpeg,image/png,image/webp',
        // A compressed body would have to be decompressed to an unknown size.
        'accept-encoding': 'identity',
        'user-agent': 'Rapporteur-Bot/1',
      },
      timeoutMs: Math.max(1, Math.ceil(endMs - performance.now())),
      maxResponseBytes: largestImageBytes,
      signal,
    });
    if (response.status === 200) return response.bodyPrefix;
    url = redirectOf(response, url);
  }
  throw new ImageRefused(`It is behind more than ${mostRedirects} redirects.`);
}

function redirectOf({ status, headers }: OutboundResponse, from: string): string {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined || !URL.canParse(location, from))
    throw new ImageRefused(`Its address answered with HTTP status ${status}.`);
  return new URL(location, from).href;
}
