import { startTestServers } from '../src/test-servers.ts';

/** One PostgreSQL and one nats-server for the whole run; tests find them through the environment. */
export default async function setup() {
  globalThis.rapporteurTestServers = await startTestServers();
}
