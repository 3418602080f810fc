import type { MeetingPerson, MeetingVisit, SpeakerTurn, VisitSignal } from '@rapporteur/meeting-platforms';
import type { OutboundHttp, OutboundMessage, OutboundSocket, SocketEnd } from '@rapporteur/outbound-http';

/** What a test sees of one connection, from the receiver's side. */
export class FakeSocket implements OutboundSocket {
  readonly sent: OutboundMessage[] = [];
  readonly waitingBytes = 0;
  readonly #ended = Promise.withResolvers<SocketEnd>();
  readonly ended = this.#ended.promise;
  closed = false;
  full = false;
  #listener: (message: OutboundMessage) => void = () => undefined;

  send(message: OutboundMessage): boolean {
    if (this.closed || this.full) return false;
    this.sent.push(message);
    return true;
  }

  onMessage(listener: (message: OutboundMessage) => void): void {
    this.#listener = listener;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.#ended.resolve({ why: 'closed-by-us', code: 1_000 });
  }

  receive(message: OutboundMessage): void {
    this.#listener(message);
  }

  /** The receiver goes. */
  end(): void {
    this.closed = true;
    this.#ended.resolve({ why: 'closed-by-them', code: 1_001 });
  }
}

/** Takes every connection, or none. */
export class FakeReceiver implements Pick<OutboundHttp, 'connectSocket' | 'close'> {
  readonly asked: string[] = [];
  readonly sockets: FakeSocket[] = [];
  #refusal: { readonly error: Error; readonly url: string | null } | null = null;

  readonly connectSocket: OutboundHttp['connectSocket'] = async ({ url }) => {
    this.asked.push(url);
    if (this.#refusal !== null && (this.#refusal.url ?? url) === url) throw this.#refusal.error;
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket;
  };

  /** @param url null: every address */
  refuseWith(error: Error | null, url: string | null = null): void {
    this.#refusal = error === null ? null : { error, url };
  }

  close(): void {}
}

export function turnOf(turnId: number, personId: string | null, startMs: number): SpeakerTurn {
  return { turnId, personId, name: null, startMs, endMs: null, source: 'levels', confidence: 1 };
}

type Voice = Pick<MeetingVisit, 'playSound' | 'clearSound' | 'soundHeard' | 'speaking' | 'onSignal'>;

/** A meeting in which the test says who speaks and how much of the bot's sound is over. */
export class FakeVoice implements Voice {
  /** Bytes and rate of each sound. */
  readonly played: [number, number][] = [];
  cleared = 0;
  heardMs = 0;
  #turns: SpeakerTurn[] = [];
  #listener: (signal: VisitSignal) => void = () => undefined;

  playSound(pcm: Buffer, rateHz: number): void {
    this.played.push([pcm.length, rateHz]);
  }

  clearSound(): void {
    this.cleared += 1;
  }

  soundHeard(): number {
    return this.heardMs;
  }

  speaking(): readonly SpeakerTurn[] {
    return this.#turns;
  }

  onSignal(listener: (signal: VisitSignal) => void): () => void {
    this.#listener = listener;
    return () => undefined;
  }

  tell(signal: VisitSignal): void {
    // As in a visit: whoever is told finds the turn going on, or over.
    if (signal.kind === 'speaker') {
      this.#turns = this.#turns.filter(({ turnId }) => turnId !== signal.turn.turnId);
      if (signal.change === 'started') this.#turns.push(signal.turn);
    }
    this.#listener(signal);
  }

  appears(id: string, name: string): VisitSignal {
    const person: MeetingPerson = {
      id,
      name,
      avatarUrl: null,
      isSelf: false,
      isHost: false,
      present: true,
      appearedAtMs: 0,
      leftAtMs: null,
    };
    return { kind: 'person', change: 'appeared', person, atMs: 0 };
  }

  speaks(turn: SpeakerTurn): VisitSignal {
    return { kind: 'speaker', change: 'started', turn, atMs: turn.startMs };
  }

  ends(turnId: number, endMs: number): VisitSignal {
    const turn = { ...(this.#turns.find((going) => going.turnId === turnId) ?? turnOf(turnId, null, 0)), endMs };
    return { kind: 'speaker', change: 'stopped', turn, atMs: endMs };
  }
}
