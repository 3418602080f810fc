import stopServers from './global-teardown.mjs';

export default async function teardown() {
  await globalThis.rapporteurEndSimulator?.();
  await stopServers();
}
