import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';

// The reference: the same route with JSON parsing only, in a process of its own.
const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.post('/v2/bots', express.json({ limit: '1mb' }), (_request, response) => {
  response.status(201).json({ success: true, data: { bot_id: randomUUID() } });
});
const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
