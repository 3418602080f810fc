/** Awaited calls within a transaction that do not get it and are accepted, each with the reason why they do not wait. */
export const acceptedAwaits: readonly { readonly path: string; readonly call: string; readonly why: string }[] = [
  {
    path: 'apps/transcriber/src/search/words.store.ts',
    call: 'indexOf',
    why: 'Computes the words of one transcript, and yields to other work in between.',
  },
  {
    path: 'apps/calendar-sync/src/sync/apply-items.ts',
    call: 'mapInSlices',
    why: 'Computes hashes of at most one page, and yields to other work in between.',
  },
];
