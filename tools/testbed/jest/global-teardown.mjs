export default async function teardown() {
  await globalThis.rapporteurTestServers?.stop();
}
