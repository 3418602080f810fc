import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { SpeakerState } from '../streaming/speaker-frames.ts';

export interface ReceivedAudio {
  /** Epoch ms. */
  readonly atMs: number;
  readonly pcm: Buffer;
}

/** A customer's side of the streams: real WebSockets at two addresses, and everything received. */
export interface StreamReceiver {
  readonly outputUrl: string;
  readonly inputUrl: string;
  /** First text frame of each connection to `outputUrl`. */
  readonly handshakes: Record<string, unknown>[];
  readonly audio: ReceivedAudio[];
  readonly speakers: { readonly atMs: number; readonly states: readonly SpeakerState[] }[];
  /** Texts received at `inputUrl`, the handshake first. */
  readonly replies: Record<string, unknown>[];
  /** Connections that are open now. */
  readonly open: number;
  /** Over `inputUrl`. */
  send(message: Buffer | string): void;
  /** Cuts the connections to `outputUrl`. */
  cut(): void;
  stop(): Promise<void>;
}

export async function startStreamReceiver(): Promise<StreamReceiver> {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  const handshakes: Record<string, unknown>[] = [];
  const audio: ReceivedAudio[] = [];
  const speakers: { atMs: number; states: SpeakerState[] }[] = [];
  const replies: Record<string, unknown>[] = [];
  let output: WebSocket | null = null;
  let input: WebSocket | null = null;
  const takeOutput = (socket: WebSocket): void => {
    output = socket;
    let hasHandshake = false;
    socket.on('message', (data: Buffer, isBinary) => {
      const atMs = Date.now();
      if (isBinary) audio.push({ atMs, pcm: data });
      else if (hasHandshake) speakers.push({ atMs, states: JSON.parse(String(data)) as SpeakerState[] });
      else handshakes.push(JSON.parse(String(data)) as Record<string, unknown>);
      hasHandshake = true;
    });
  };
  const takeInput = (socket: WebSocket): void => {
    input = socket;
    socket.on('message', (data: Buffer) => replies.push(JSON.parse(String(data)) as Record<string, unknown>));
  };
  sockets.on('connection', (socket, { url }) => {
    socket.on('error', () => undefined);
    if (url === '/out?key=secret') takeOutput(socket);
    else takeInput(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    outputUrl: `ws://127.0.0.1:${port}/out?key=secret`,
    inputUrl: `ws://127.0.0.1:${port}/in`,
    handshakes,
    audio,
    speakers,
    replies,
    get open() {
      return sockets.clients.size;
    },
    send: (message) => input?.send(message),
    cut: () => output?.terminate(),
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A WAV file of 16 bit mono. */
export function wavOf(pcm: Buffer, rateHz: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + pcm.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rateHz, 24);
  head.writeUInt32LE(rateHz * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([head, pcm]);
}

/** Amplitude of one frequency in a stretch of 16 bit audio, 0..1. */
export function levelAt(hertz: number, pcm: Buffer, rateHz: number): number {
  const step = (2 * Math.PI * hertz) / rateHz;
  const length = pcm.length / 2;
  let [sine, cosine] = [0, 0];
  for (let index = 0; index < length; index += 1) {
    const sample = pcm.readInt16LE(index * 2) / 32_768;
    sine += sample * Math.sin(step * index);
    cosine += sample * Math.cos(step * index);
  }
  return (2 * Math.hypot(sine, cosine)) / length;
}
