/** The events of a room; the oracle for a bot's own reports. */
export type RoomLogKind =
  | 'roomStarted'
  | 'pageOpened'
  | 'pressIgnored'
  | 'joinRequested'
  | 'joinBlocked'
  | 'admitted'
  | 'refused'
  | 'noResponse'
  | 'withdrew'
  | 'joined'
  | 'mediaConnected'
  | 'mediaLost'
  | 'picturesSent'
  | 'renamed'
  | 'left'
  | 'removed'
  | 'chat'
  | 'cameraOn'
  | 'cameraOff'
  | 'microphoneOn'
  | 'microphoneOff'
  | 'captionsOn'
  | 'captionsOff'
  | 'screenShared'
  | 'screenUnshared'
  | 'pictureChanged'
  | 'fault'
  | 'meetingEnded';

export type RoomLogEntry = {
  /** Epoch milliseconds. */
  at: number;
  kind: RoomLogKind;
  who: string | null;
  deviceId: string | null;
  /** Chat: the text. Leaving: how. Fault: which. Page opened: address and user agent. Press ignored: on what and why. Video changed: to what. Frames sent: how many packets so far. Captions on: their language. Renamed: the former name. */
  text?: string;
};

const LONGEST_LOG = 10_000;

/** Keeps the newest 10 000 entries. */
export class RoomLog {
  readonly #entries: RoomLogEntry[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(kind: RoomLogKind, member: { name: string; deviceId: string } | null, text?: string): void {
    const entry: RoomLogEntry = {
      at: this.#now(),
      kind,
      who: member?.name ?? null,
      deviceId: member?.deviceId ?? null,
    };
    this.#entries.push(text === undefined ? entry : { ...entry, text });
    if (this.#entries.length > LONGEST_LOG) this.#entries.shift();
  }

  entries(): RoomLogEntry[] {
    return [...this.#entries];
  }
}
