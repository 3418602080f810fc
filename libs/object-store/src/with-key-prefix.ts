import { assertFolderPrefix } from './keys.ts';
import type { ObjectInfo, ObjectStore } from './store.ts';

/**
 * The objects below a folder of the store as a store of their own: nothing outside of the folder is read, listed,
 * written or deleted.
 *
 * @param folder ends in a slash; empty: the store itself
 */
export function withKeyPrefix(store: ObjectStore, folder: string): ObjectStore {
  if (folder === '') return store;
  assertFolderPrefix(folder);
  const { direct } = store;
  const inside = (key: string): string => folder + key;
  const below = (key: string): string => key.slice(folder.length);
  const shown = (info: ObjectInfo): ObjectInfo => ({ ...info, key: below(info.key) });
  return {
    put: async (key, body, options) => shown(await store.put(inside(key), body, options)),
    createMultipart: (key, options) => store.createMultipart(inside(key), options),
    uploadPart: (key, upload, part, put) => store.uploadPart(inside(key), upload, part, put),
    completeMultipart: async (key, upload, options) =>
      shown(await store.completeMultipart(inside(key), upload, options)),
    abortMultipart: (key, upload) => store.abortMultipart(inside(key), upload),
    get: async (key, options) => {
      const { info, body } = await store.get(inside(key), options);
      return { info: shown(info), body };
    },
    head: async (key) => {
      const info = await store.head(inside(key));
      return info === null ? null : shown(info);
    },
    list: async (options) => {
      const { objects, cursor } = await store.list({ ...options, prefix: inside(options.prefix) });
      return { objects: objects.map(({ key, bytes }) => ({ key: below(key), bytes })), cursor };
    },
    delete: (key) => store.delete(inside(key)),
    deletePrefix: async (prefix) => {
      assertFolderPrefix(prefix);
      return await store.deletePrefix(inside(prefix));
    },
    signedGetUrl: (key, options) => store.signedGetUrl(inside(key), options),
    direct: direct && {
      signedPut: (key, options) => direct.signedPut(inside(key), options),
      signedPart: (key, upload, part, options) => direct.signedPart(inside(key), upload, part, options),
    },
    sweepUnfinished: ({ prefixes, owns, ...options }) =>
      store.sweepUnfinished({
        ...options,
        prefixes: prefixes.map(inside),
        ...(owns === undefined ? {} : { owns: (key) => owns(below(key)) }),
      }),
    close: () => store.close(),
  };
}
