import { shareSimulator } from '@rapporteur/simulator/shared';
import startServers from './global-setup.mjs';

/** The servers of every run, and one simulator; tests find it with `openSimulator`. */
export default async function setup() {
  await startServers();
  globalThis.rapporteurEndSimulator = await shareSimulator();
}
