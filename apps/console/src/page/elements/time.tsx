const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A moment in the user's own time zone; a dash for none. */
export function Time({ at, seconds = false }: { readonly at: string | null | undefined; readonly seconds?: boolean }) {
  if (at === null || at === undefined) return <>—</>;
  return <time dateTime={at}>{(seconds ? clock : dateTime).format(new Date(at))}</time>;
}
