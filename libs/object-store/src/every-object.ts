import type { ObjectPage, ObjectStore } from './store.ts';

/** All objects below a prefix, read page by page. */
export async function* everyObject(
  store: Pick<ObjectStore, 'list'>,
  prefix: string,
): AsyncGenerator<ObjectPage['objects'][number]> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: ObjectPage = await store.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
    yield* page.objects;
    ({ cursor } = page);
  }
}
