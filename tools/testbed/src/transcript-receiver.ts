import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

export interface ReceivedMessage {
  /** Epoch ms. */
  readonly atMs: number;
  readonly event: string;
  readonly extra: unknown;
  readonly data: {
    readonly sequence: number | null;
    readonly segment_id?: string;
    readonly is_final?: boolean;
    readonly text?: string;
    readonly start?: number;
    readonly end?: number;
    readonly speaker?: { readonly id: number | null; readonly name: string | null };
    readonly words?: readonly { readonly word: string; readonly start: number; readonly end: number }[];
    readonly code?: string;
    readonly provider?: string;
  };
}

/** A customer's side of a transcript: it resumes after the last message that it has. */
export interface TranscriptReceiver {
  readonly url: string;
  /** First text frame of each connection. */
  readonly handshakes: Record<string, unknown>[];
  readonly messages: ReceivedMessage[];
  readonly isConnected: boolean;
  cut(): void;
  stop(): Promise<void>;
}

export async function startTranscriptReceiver(resumes = true): Promise<TranscriptReceiver> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const handshakes: Record<string, unknown>[] = [];
  const messages: ReceivedMessage[] = [];
  let last = 0;
  server.on('connection', (socket) => {
    let hasHandshake = false;
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(String(data)) as Record<string, unknown>;
      if (hasHandshake) {
        const received = { ...message, atMs: Date.now() } as unknown as ReceivedMessage;
        messages.push(received);
        last = Math.max(last, received.data.sequence ?? 0);
        return;
      }
      hasHandshake = true;
      handshakes.push(message);
      if (resumes) socket.send(JSON.stringify({ type: 'resume', after: last }));
    });
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/transcript?key=secret`,
    handshakes,
    messages,
    get isConnected() {
      return server.clients.size > 0;
    },
    cut: () => {
      for (const socket of server.clients) socket.terminate();
    },
    stop: async () => {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
