import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** A message of streaming mode `transcription` (docs/guides/streaming.md). */
export interface TranscriptMessage {
  readonly event: string;
  readonly extra: unknown;
  readonly data: {
    /** Null: a partial segment. */
    readonly sequence: number | null;
    readonly segment_id?: string;
    readonly is_final?: boolean;
    readonly speaker?: { readonly name: string | null };
    readonly words?: readonly { readonly word: string }[];
  };
}

export interface TranscriptReceiver {
  readonly url: string;
  /** The first frame of each connection. */
  readonly handshakes: readonly Readonly<Record<string, unknown>>[];
  readonly messages: readonly TranscriptMessage[];
  /** Closes the connection without a close frame. */
  cut(): void;
  stop(): Promise<void>;
}

/** A customer's server for live transcripts on the loopback; each connection resumes after the last message received. */
export async function startTranscriptReceiver(): Promise<TranscriptReceiver> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const handshakes: Record<string, unknown>[] = [];
  const messages: TranscriptMessage[] = [];
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    socket.once('message', (handshake: Buffer) => {
      handshakes.push(JSON.parse(String(handshake)) as Record<string, unknown>);
      const after = Math.max(0, ...messages.map(({ data }) => data.sequence ?? 0));
      socket.send(JSON.stringify({ type: 'resume', after }));
      socket.on('message', (message: Buffer) => messages.push(JSON.parse(String(message)) as TranscriptMessage));
    });
  });
  const cut = (): void => {
    for (const socket of server.clients) socket.terminate();
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/transcript`,
    handshakes,
    messages,
    cut,
    stop: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
