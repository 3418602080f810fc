import type { MeetingParticipant, MeetingSession, SpeakerTurn, SessionSignal } from '@rapporteur/meeting-platforms';
import type { OutboundHttp, OutboundMessage, OutboundSocket, SocketEnd } from '@rapporteur/outbound-http';

/** One connection from the receiver's side. */
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

  /** The receiver disconnects. */
  end(): void {
    this.closed = true;
    this.#ended.resolve({ why: 'closed-by-them', code: 1_001 });
  }
}

/** Accepts every connection, or none. */
export class FakeReceiver implements Pick<OutboundHttp, 'connectSocket' | 'close'> {
  readonly requested: string[] = [];
  readonly sockets: FakeSocket[] = [];
  #refusal: { readonly error: Error; readonly url: string | null } | null = null;

  readonly connectSocket: OutboundHttp['connectSocket'] = async ({ url }) => {
    this.requested.push(url);
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

export function turnOf(turnId: number, participantId: string | null, startMs: number): SpeakerTurn {
  return { turnId, participantId, name: null, startMs, endMs: null, source: 'levels', confidence: 1 };
}

type Speech = Pick<MeetingSession, 'playAudio' | 'clearAudio' | 'finishedAudioMs' | 'speaking' | 'onSignal'>;

/** A meeting in which the test sets the speakers and how much of the bot's audio has been played. */
export class FakeSpeech implements Speech {
  /** Bytes and rate of each audio. */
  readonly played: [number, number][] = [];
  cleared = 0;
  receivedMs = 0;
  #turns: SpeakerTurn[] = [];
  #listener: (signal: SessionSignal) => void = () => undefined;

  playAudio(pcm: Buffer, rateHz: number): void {
    this.played.push([pcm.length, rateHz]);
  }

  clearAudio(): void {
    this.cleared += 1;
  }

  finishedAudioMs(): number {
    return this.receivedMs;
  }

  speaking(): readonly SpeakerTurn[] {
    return this.#turns;
  }

  onSignal(listener: (signal: SessionSignal) => void): () => void {
    this.#listener = listener;
    return () => undefined;
  }

  notify(signal: SessionSignal): void {
    // As in a session: the state of the turn changes before listeners are notified.
    if (signal.kind === 'speaker') {
      this.#turns = this.#turns.filter(({ turnId }) => turnId !== signal.turn.turnId);
      if (signal.change === 'started') this.#turns.push(signal.turn);
    }
    this.#listener(signal);
  }

  appears(id: string, name: string): SessionSignal {
    const participant: MeetingParticipant = {
      id,
      name,
      avatarUrl: null,
      isSelf: false,
      isHost: false,
      present: true,
      appearedAtMs: 0,
      leftAtMs: null,
    };
    return { kind: 'participant', change: 'appeared', participant, atMs: 0 };
  }

  speaks(turn: SpeakerTurn): SessionSignal {
    return { kind: 'speaker', change: 'started', turn, atMs: turn.startMs };
  }

  ends(turnId: number, endMs: number): SessionSignal {
    const turn = { ...(this.#turns.find((going) => going.turnId === turnId) ?? turnOf(turnId, null, 0)), endMs };
    return { kind: 'speaker', change: 'stopped', turn, atMs: endMs };
  }
}
