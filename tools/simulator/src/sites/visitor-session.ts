import type { WebSocket } from 'ws';
import type { SimulatorLog } from '../log.ts';
import type { MediaSink } from '../media/broadcast.ts';
import type { Attendee, AttendeeEvent, ChatMessage, Member } from '../rooms/members.ts';
import type { HostedRoom } from '../rooms/room-registry.ts';
import { pageMessageSchema } from './page-messages.ts';
import type { MemberStatus, PageMessage, ServerMessage } from './page-messages.ts';

/** What differs from platform to platform in the visit of one browser. */
export type VisitorDialect = {
  /** What the page needs to know before anything is decided: the room's variants. */
  welcome(hosted: HostedRoom): object;
  /** Opens what carries the call to an admitted browser. */
  openCall(parts: VisitorCallParts): Promise<VisitorCall>;
};

export type VisitorCallParts = {
  hosted: HostedRoom;
  attendee: Attendee;
  now: () => number;
  loopbackOnly: boolean;
  onState: (state: 'connected' | 'closed') => void;
  /** To the page, in words that only this platform's page knows. */
  send: (message: object) => void;
};

/** The call as one admitted browser gets it. */
export type VisitorCall = {
  /** Goes to the page, which answers it; null: this platform's media needs no answer. */
  offerSdp: string | null;
  sink: MediaSink;
  accept(answerSdp: string): Promise<void>;
  memberChanged(member: Member, status: MemberStatus): void;
  chat(message: ChatMessage): void;
  close(): Promise<void>;
};

export type SessionOptions = {
  socket: WebSocket;
  hosted: HostedRoom;
  dialect: VisitorDialect;
  now: () => number;
  loopbackOnly: boolean;
  log: SimulatorLog;
};

/** One browser from the moment its page opens the WebSocket until that closes. */
export class VisitorSession {
  readonly #options: SessionOptions;
  #attendee: Attendee | null = null;
  #call: VisitorCall | null = null;
  #detach: () => void = () => undefined;
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { socket, hosted, dialect } = options;
    socket.on('message', (data) => this.#receive((data as Buffer).toString('utf8')));
    socket.on('close', () => this.#connectionClosed());
    socket.on('error', () => socket.terminate());
    this.#send({ kind: 'welcome', ...dialect.welcome(hosted) });
  }

  /** Closes the socket and the media; the room sees it as a lost connection. */
  async stop(): Promise<void> {
    this.#options.socket.terminate();
    this.#connectionClosed();
    await this.#closeCall();
  }

  #send(message: ServerMessage | object): void {
    const { socket } = this.#options;
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  }

  #receive(text: string): void {
    const { hosted, log } = this.#options;
    const message = parseMessage(text);
    if (message === null) {
      log.warn({ code: hosted.room.code }, 'A page sent a message that is not understood.');
      return;
    }
    this.#handle(message).catch((error: unknown) => {
      log.error({ error: String(error), code: hosted.room.code }, 'A page message failed.');
    });
  }

  async #handle(message: PageMessage): Promise<void> {
    const { room } = this.#options.hosted;
    if (message.kind === 'knock') this.#knock(message.name);
    else if (message.kind === 'knockBlocked') room.knockBlocked(message.name);
    else if (message.kind === 'answer') await this.#call?.accept(message.sdp);
    else if (message.kind === 'chat') room.chat(this.#attendee?.deviceId ?? '', message.text);
    else if (this.#attendee !== null) {
      room.leave(this.#attendee.id, 'leaveButton');
      await this.#closeCall();
    }
  }

  #knock(name: string): void {
    const waiting = this.#attendee?.state === 'lobby' || this.#attendee?.state === 'inCall';
    if (waiting) return;
    const { room } = this.#options.hosted;
    this.#attendee = room.knock({ name, notify: (event) => this.#tell(event) });
    if (this.#attendee === null) this.#send({ kind: 'meetingEnded' });
    else this.#send({ kind: 'lobby', attendeeId: this.#attendee.id, self: memberOf(this.#attendee) });
  }

  #tell(event: AttendeeEvent): void {
    if (event.kind === 'admitted') {
      this.#send({ kind: 'admitted', members: this.#options.hosted.room.membersInCall().map(memberOf) });
      this.#openCall().catch((error: unknown) => {
        this.#options.log.error({ error: String(error) }, 'The media connection could not be opened.');
      });
    } else if (event.kind === 'memberChanged') {
      this.#send({ kind: 'member', member: memberOf(event.member), status: event.status });
      this.#call?.memberChanged(event.member, event.status);
    } else if (event.kind === 'chat') {
      this.#send({ kind: 'chat', message: event.message });
      this.#call?.chat(event.message);
    } else {
      this.#send(event);
      void this.#closeCall();
    }
  }

  async #openCall(): Promise<void> {
    const { hosted, dialect, now, loopbackOnly } = this.#options;
    const attendee = this.#attendee;
    if (attendee === null) return;
    let call: VisitorCall | null = null;
    let connected = false;
    call = await dialect.openCall({
      hosted,
      attendee,
      now,
      loopbackOnly,
      onState: (state) => {
        if (state === 'closed') return hosted.room.noteMedia(attendee.id, 'mediaLost');
        connected = true;
        if (call !== null) this.#startSending(call, attendee.id);
      },
      send: (message) => this.#send(message),
    });
    this.#call = call;
    if (this.#closed || attendee.state !== 'inCall') return this.#closeCall();
    if (call.offerSdp !== null) this.#send({ kind: 'offer', sdp: call.offerSdp });
    // Media that needs no answer is there before its opening is over.
    if (connected) this.#startSending(call, attendee.id);
  }

  #startSending(call: VisitorCall, attendeeId: string): void {
    if (this.#call !== call || this.#closed) return;
    this.#options.hosted.room.noteMedia(attendeeId, 'mediaConnected');
    this.#detach();
    this.#detach = this.#options.hosted.broadcast.attach(call.sink);
  }

  #connectionClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#attendee !== null) this.#options.hosted.room.leave(this.#attendee.id, 'connectionLost');
    void this.#closeCall();
  }

  async #closeCall(): Promise<void> {
    const call = this.#call;
    this.#call = null;
    this.#detach();
    this.#detach = () => undefined;
    await call?.close();
  }
}

function parseMessage(text: string): PageMessage | null {
  try {
    return pageMessageSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Only what a page may know: an attendee also has its id and its times. */
export function memberOf(member: Member): Member {
  const { deviceId, name, personIndex, isHost, audioStreamId, videoStreamId } = member;
  return { deviceId, name, personIndex, isHost, audioStreamId, videoStreamId };
}
