const webAddress = /^(https?|about|blob|data|javascript|file):/i;

/** Keeps this page's scripts from calling an app: the browser would show a prompt, and drop every press meanwhile. */
export function refuseAppAddresses(): void {
  const { navigation } = globalThis as { navigation?: EventTarget };
  navigation?.addEventListener('navigate', (event) => {
    const { destination } = event as Event & { destination?: { url: string } };
    if (destination !== undefined && !webAddress.test(destination.url)) event.preventDefault();
  });
  const open = globalThis.open?.bind(globalThis);
  if (open === undefined) return;
  globalThis.open = (...given: Parameters<typeof globalThis.open>): Window | null => {
    const address = String(given[0] ?? '');
    return /^[a-z][a-z0-9+.-]*:/i.test(address) && !webAddress.test(address) ? null : open(...given);
  };
}
