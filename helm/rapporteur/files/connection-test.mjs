// Requests each address until it responds with 200, 60 s at most. Prints one line each; exit code 1 when one stays unready.
const deadline = Date.now() + 60_000;
const pause = () => new Promise((resolve) => setTimeout(resolve, 1_000));
const check = async (url) => {
  for (let last = ''; ; await pause()) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
      last = `${response.status} ${(await response.text()).slice(0, 200)}`;
      if (response.status === 200) return { url, last, ready: true };
    } catch (error) {
      last = `${error.message} ${error.cause?.code ?? ''}`;
    }
    if (Date.now() > deadline) return { url, last, ready: false };
  }
};
const results = await Promise.all(process.argv.slice(1).map(check));
for (const { url, last, ready } of results) console.log(`${ready ? 'ready    ' : 'NOT READY'} ${url} ${last}`);
process.exit(results.every(({ ready }) => ready) ? 0 : 1);
