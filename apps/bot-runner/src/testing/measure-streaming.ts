import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { systemClock } from '@rapporteur/service-runtime';
import { WebSocket, WebSocketServer } from 'ws';
import { createStreaming } from '../streaming/streaming.ts';
import { FakeSpeech } from './fake-stream.ts';
import { quietLogger } from './quiet-logger.ts';

// CPU cost of streaming audio out, compared with sockets that only send the same audio:
// node apps/bot-runner/src/testing/measure-streaming.ts [streams]

const streams = Number(process.argv[2] ?? 100);
const seconds = 15;
const rateHz = 24_000;
const blockMs = 100;

interface Stream {
  send(): void;
  close(): Promise<void>;
}

async function receive(): Promise<void> {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  sockets.on('connection', (socket) => socket.on('message', () => undefined));
  await once(sockets, 'listening');
  process.send?.((sockets.address() as AddressInfo).port);
  process.once('disconnect', () => process.exit(0));
}

async function bare(url: string, block: Buffer): Promise<Stream> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, 'open');
  return {
    send: () => socket.send(block),
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** Including the recorder's own step: a block arrives as base64 inside JSON. */
async function ours(url: string, block: Buffer): Promise<Stream> {
  const streaming = createStreaming(
    { mode: 'audio', output_url: url, input_url: null, audio_frequency: rateHz },
    {
      botId: 'bot',
      outbound: createOutboundHttp({ allow: ['loopback'], requireHttps: false }),
      session: new FakeSpeech(),
      clock: systemClock,
      logger: quietLogger,
      transcription: null,
    },
  );
  if ((await streaming.ready?.(new AbortController().signal)) !== null) throw new Error('It does not connect.');
  const text = JSON.stringify({ tapped: { blocks: [[0, block.toString('base64')]], dropped: 0 } });
  return {
    send: () => {
      const { tapped } = JSON.parse(text) as { tapped: { blocks: [number, string][] } };
      for (const [startMs, data] of tapped.blocks) streaming.audioTap?.onAudio(Buffer.from(data, 'base64'), startMs);
    },
    close: async () => streaming.over?.(),
  };
}

/** CPU milliseconds for each second of one stream. */
async function cost(open: (url: string, block: Buffer) => Promise<Stream>, url: string): Promise<number> {
  const block = Buffer.from(Int16Array.from({ length: (rateHz * blockMs) / 1_000 }, (_, index) => index * 7).buffer);
  const opened = await Promise.all(Array.from({ length: streams }, () => open(url, block)));
  const before = process.cpuUsage();
  const timers = opened.map((stream) => setInterval(() => stream.send(), blockMs));
  await pause(seconds * 1_000);
  const { user, system } = process.cpuUsage(before);
  for (const timer of timers) clearInterval(timer);
  await Promise.all(opened.map((stream) => stream.close()));
  return (user + system) / 1_000 / streams / seconds;
}

async function measure(): Promise<void> {
  const receiver = fork(import.meta.filename);
  const [port] = (await once(receiver, 'message')) as [number];
  const url = `ws://127.0.0.1:${port}/`;
  const figures = { bare: [] as number[], ours: [] as number[] };
  for (let round = 0; round < 3; round += 1) {
    figures.bare.push(await cost(bare, url));
    figures.ours.push(await cost(ours, url));
  }
  receiver.disconnect();
  const best = { bare: Math.min(...figures.bare), ours: Math.min(...figures.ours) };
  const reported = (ms: number): string => `${ms.toFixed(2)} ms`;
  process.stdout.write(
    `CPU per second of a stream: bare ${reported(best.bare)}, ours ${reported(best.ours)}: ${(best.ours / best.bare).toFixed(2)} times\n`,
  );
}

await (process.send === undefined ? measure() : receive());
