import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';

// The lower bound for two services and a database: one hop, one row written, no rules. `edge` forwards what it parsed,
// `owner` stores it before it responds.
const [, , role, target] = process.argv;
const app = express();
app.disable('x-powered-by');
app.set('etag', false);
const json = express.json({ limit: '1mb' });

if (role === 'edge') {
  const agent = new Agent({ keepAlive: true });
  app.post('/v2/bots', json, (incoming, response) => {
    const body = JSON.stringify(incoming.body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const onward = request(`${target}/v2/bots`, { method: 'POST', agent, headers }, (reply) => {
      response.status(reply.statusCode ?? 502).type('json');
      reply.pipe(response);
    });
    onward.on('error', () => response.status(502).end());
    onward.end(body);
  });
} else {
  const pool = new pg.Pool({ connectionString: target ?? '', application_name: 'bench-floor', max: 4 });
  await pool.query('create table if not exists bench_floor (id uuid primary key, body jsonb not null)');
  app.post('/v2/bots', json, (incoming, response) => {
    const id = randomUUID();
    pool.query({ name: 'floor', text: 'insert into bench_floor values ($1, $2)', values: [id, incoming.body] }).then(
      () => response.status(201).json({ success: true, data: { bot_id: id } }),
      () => response.status(500).end(),
    );
  });
}
const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
