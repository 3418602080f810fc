// Zoom's client keeps the newest caption in its Redux store, `newLiveTranscription.newLTMessage`; the strip on the page
// has no names. The store is reached through the tree that React keeps on the element it renders into.

export interface LiveTranscriptionMessage {
  readonly msgId: string;
  /** The whole utterance so far; a later version may differ in any part. */
  readonly text: string;
  /** Nothing follows. */
  readonly done: boolean;
  /** Decimal; the lower ten bits count streams of one participant and are cut off. */
  readonly userId: string;
  readonly name: string | null;
}

interface Store {
  getState(): unknown;
  subscribe(listener: () => void): unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const longestText = 20_000;
const mostElements = 50;
const mostFibers = 3_000;
const searchMs = 1_000;

/** Calls `onCaption` with each version of a caption from now on. Waits for the client's store while there is none. */
export function watchLiveTranscription(onCaption: (message: LiveTranscriptionMessage) => void): void {
  const store = findStore();
  if (store === null) {
    setTimeout(() => watchLiveTranscription(onCaption), searchMs);
    return;
  }
  let newest: unknown = null;
  store.subscribe(() => {
    const message = newestIn(store.getState());
    if (message === newest) return;
    newest = message;
    const read = readLiveTranscription(message);
    if (read !== null) onCaption(read);
  });
}

/** Null for what is no caption. */
export function readLiveTranscription(message: unknown): LiveTranscriptionMessage | null {
  if (!isFields(message) || !isFields(message['user'])) return null;
  const { msgId, text, done, user } = message;
  const { userId, displayName } = user as Fields;
  if (typeof userId !== 'number' || !Number.isSafeInteger(userId) || typeof text !== 'string') return null;
  if (typeof msgId !== 'string' && typeof msgId !== 'number') return null;
  return {
    msgId: String(msgId).slice(0, 100),
    text: readable(text.slice(0, longestText)),
    done: done === true,
    userId: String(userId - (userId % 1_024)),
    name: typeof displayName === 'string' && displayName !== '' ? displayName : null,
  };
}

/** The client leaves NUL, form feeds and replacement characters in. */
function readable(text: string): string {
  return text.replaceAll('\0', '').replaceAll('\f', '').replaceAll('\uFFFD', '');
}

function newestIn(state: unknown): unknown {
  const transcription = isFields(state) ? state['newLiveTranscription'] : null;
  return isFields(transcription) ? (transcription['newLTMessage'] ?? null) : null;
}

function findStore(): Store | null {
  for (const element of [...document.querySelectorAll('body, body > *, body > * > *')].slice(0, mostElements)) {
    const key = Object.keys(element).find((name) => /^__react(Container|Fiber)\$/.test(name));
    const store = key === undefined ? null : storeBelow((element as unknown as Fields)[key]);
    if (store !== null) return store;
  }
  return null;
}

function storeBelow(root: unknown): Store | null {
  const waiting: unknown[] = [root];
  for (let seen = 0; seen < mostFibers && waiting.length > 0; seen += 1) {
    const fiber = waiting.pop();
    if (!isFields(fiber)) continue;
    const props = fiber['memoizedProps'];
    const store = isFields(props) ? props['store'] : null;
    if (isStore(store)) return store;
    waiting.push(fiber['sibling'], fiber['child']);
  }
  return null;
}

function isStore(value: unknown): value is Store {
  return isFields(value) && typeof value['getState'] === 'function' && typeof value['subscribe'] === 'function';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
