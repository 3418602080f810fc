import { Agent, request } from 'node:http';

/** So many POST requests of one body to one address, as many at once as the delivery service sends. */
export interface BareRequests {
  readonly url: string;
  readonly body: string;
  readonly count: number;
  readonly atOnce: number;
}

// The reference: keep-alive POST requests and nothing else, in a process of its own.
const agent = new Agent({ keepAlive: true });

process.on('message', ({ url, body, count, atOnce }: BareRequests) => {
  let left = count;
  const send = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        response.once('end', resolve).once('error', reject).resume();
      });
      sent.once('error', reject).end(body);
    });
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await send();
    }
  };
  void Promise.all(Array.from({ length: atOnce }, worker)).then(
    () => process.send?.('sent'),
    () => process.exit(1),
  );
});
process.on('disconnect', () => process.exit(0));
