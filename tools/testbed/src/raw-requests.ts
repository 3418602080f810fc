import { connect } from 'node:net';

/** Marks the path of a request that only a server with another idea of the framing sees. */
export const smuggledPath = '/smuggled-request';

export interface DoubtfulRequest {
  readonly name: string;
  /** The bytes of the request, for a path and further header lines, each with its CRLF. */
  readonly bytes: (path: string, headers?: string) => string;
}

const smuggled = `GET ${smuggledPath} HTTP/1.1\r\nHost: other\r\n\r\n`;
const chunked = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
const whole = `Content-Length: ${smuggled.length}\r\n`;

function doubtful(name: string, method: string, framing: string, body: string): DoubtfulRequest {
  return {
    name: `${method} with ${name}`,
    bytes: (path, headers = '') =>
      `${method} ${path} HTTP/1.1\r\nHost: front\r\nConnection: close\r\n${headers}${framing}\r\n${body}`,
  };
}

const methods = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PATCH'];

/** Requests whose body contains a request of its own, in every form in which two servers may frame it differently. */
export const doubtfulRequests: readonly DoubtfulRequest[] = [
  ...methods.flatMap((method) => [
    doubtful('a chunked body', method, 'Transfer-Encoding: chunked\r\n', chunked),
    doubtful('a body of a stated length', method, whole, smuggled),
    doubtful('both lengths', method, `${whole}Transfer-Encoding: chunked\r\n`, `0\r\n\r\n${smuggled}`),
    doubtful('a named hop-by-hop length', method, `${whole}Connection: content-length\r\n`, smuggled),
    doubtful('an expectation', method, `${whole}Expect: 100-continue\r\n`, smuggled),
    doubtful('an upgrade', method, 'Connection: Upgrade\r\nUpgrade: websocket\r\n', smuggled),
  ]),
  ...['GET', 'POST'].flatMap((method) => [
    doubtful('two lengths', method, `Content-Length: 0\r\n${whole}`, smuggled),
    doubtful('a signed length', method, `Content-Length: +${smuggled.length}\r\n`, smuggled),
    doubtful('an encoding on a folded line', method, 'Transfer-Encoding:\r\n chunked\r\n', chunked),
    doubtful('a blank before the colon', method, 'Transfer-Encoding : chunked\r\n', chunked),
    doubtful('an unknown encoding', method, 'Transfer-Encoding: xchunked\r\n', chunked),
    doubtful('two encodings', method, 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', chunked),
    doubtful('a length on a folded line', method, `X-Note: a\r\n ${whole}`, smuggled),
    doubtful(
      'chunks after bare line feeds',
      method,
      'Transfer-Encoding: chunked\r\n',
      chunked.replaceAll('\r\n', '\n'),
    ),
  ]),
];

/** Everything that a server sends on one connection until it ends it; empty when it keeps it open for 10 s. */
export function exchangeRaw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(received));
  });
}
