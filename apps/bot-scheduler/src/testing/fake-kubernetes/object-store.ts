export interface StoredObject {
  readonly kind: 'Job' | 'Pod' | 'Event' | 'Node';
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
    readonly labels: Record<string, string>;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly spec: Record<string, unknown>;
  readonly status: Record<string, unknown>;
  /** For an event only. */
  readonly involvedObject?: { readonly kind: string; readonly name: string; readonly uid: string };
  readonly message?: string;
}

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
  readonly version: number;
}

/** The objects of a fake API server with their history, like etcd. */
export class ObjectStore {
  readonly #objects = new Map<string, StoredObject>();
  readonly #listeners = new Set<(change: Change) => void>();
  #history: Change[] = [];
  #compactedTo = 0;
  version = 0;

  list(kind: StoredObject['kind']): StoredObject[] {
    return [...this.#objects.values()].filter((object) => object.kind === kind);
  }

  find(kind: StoredObject['kind'], name: string): StoredObject | undefined {
    return this.#objects.get(`${kind}/${name}`);
  }

  put(
    object: Omit<StoredObject, 'metadata'> & { metadata: Partial<StoredObject['metadata']> & { name: string } },
  ): StoredObject {
    const key = `${object.kind}/${object.metadata.name}`;
    const before = this.#objects.get(key);
    this.version += 1;
    const stored: StoredObject = {
      ...object,
      metadata: {
        namespace: 'bots',
        uid: before?.metadata.uid ?? `uid-${this.version}`,
        creationTimestamp: before?.metadata.creationTimestamp ?? new Date().toISOString(),
        labels: {},
        ...object.metadata,
        resourceVersion: String(this.version),
      },
    };
    this.#objects.set(key, stored);
    this.#record({ type: before === undefined ? 'ADDED' : 'MODIFIED', object: stored, version: this.version });
    return stored;
  }

  remove(kind: StoredObject['kind'], name: string): void {
    const object = this.find(kind, name);
    if (object === undefined) return;
    this.version += 1;
    this.#objects.delete(`${kind}/${name}`);
    const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.version) } };
    this.#record({ type: 'DELETED', object: last, version: this.version });
  }

  /** Changes after a version, or null when they are compacted. */
  since(version: number): Change[] | null {
    return version < this.#compactedTo ? null : this.#history.filter((change) => change.version > version);
  }

  /** Compacts the history: a watch from an older version gets 410. */
  compact(): void {
    this.#compactedTo = this.version;
    this.#history = [];
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #record(change: Change): void {
    this.#history.push(change);
    for (const listener of this.#listeners) listener(change);
  }
}
