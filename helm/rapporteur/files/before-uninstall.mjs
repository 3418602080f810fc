// Ends with 1 while bots run or wait, and says what an uninstall ends. One that does not respond has nothing to lose.
const [address] = process.argv.slice(1);
let capacity;
try {
  const response = await fetch(address, { signal: AbortSignal.timeout(20_000) });
  if (!response.ok) throw new Error(`it responds with ${response.status}`);
  capacity = await response.json();
} catch (error) {
  console.log(`Whether bots run is unknown: bot-scheduler cannot be reached (${error.cause?.code ?? error.message}).`);
  process.exit(0);
}
const { used, queued } = capacity;
if (used + queued === 0) process.exit(0);
console.log(
  [
    `${used} bots are in meetings or save their recordings, and ${queued} wait for their start.`,
    'Without this release those in meetings cannot store what they record, and the others never join.',
    'Stop requests with services.api-gateway.replicas=0, wait until bots have ended, and uninstall again; or give them up with: helm uninstall --no-hooks',
  ].join('\n'),
);
process.exit(1);
