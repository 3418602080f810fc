import type { WebSocket } from 'ws';
import type { SimulatorLog } from '../log.ts';
import type { MediaSink } from '../media/broadcast.ts';
import type { ReceivedMedia } from '../media/received-media.ts';
import type { Attendee, AttendeeEvent, ChatMessage, Member } from '../rooms/members.ts';
import type { Fault } from '../rooms/faults.ts';
import type { PageChange } from '../page-changes/page-change.ts';
import type { HostedRoom } from '../rooms/room-registry.ts';
import { pageMessageSchema } from './page-messages.ts';
import type { MemberStatus, PageMessage, ServerMessage } from './page-messages.ts';

/** More than occurs in the longest loss; later messages are dropped. */
const LONGEST_QUEUE = 1_000;

/** A temporary loss of a browser's network: messages wait, in order, until it is back. */
class NetworkLoss {
  readonly #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  get going(): boolean {
    return this.#timer !== undefined;
  }

  /** A second loss during the first restarts the time. `back` runs before everything that waited. */
  begin(forMs: number, back: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      back();
      for (const action of this.#waiting.splice(0)) action();
    }, forMs);
  }

  /** True when the line is cut: the action waits. */
  hold(action: () => void): boolean {
    if (!this.going) return false;
    if (this.#waiting.length < LONGEST_QUEUE) this.#waiting.push(action);
    return true;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.length = 0;
  }
}

/** What differs from platform to platform in the session of one browser. */
export type ClientDialect = {
  /** The room's variants, sent to the page at its start. */
  welcome(hosted: HostedRoom): object;
  /** Opens what carries the call to an admitted browser. */
  openCall(dependencies: ClientCallDependencies): Promise<ClientCall>;
  /** The page shows shared screens beside participants. */
  readonly showsScreens?: boolean;
  /** A raw message of the page's socket when a browser is not admitted; null: none. */
  turnedAway?(how: 'refused' | 'noResponse', hosted: HostedRoom): string | null;
};

export type ClientCallDependencies = {
  hosted: HostedRoom;
  attendee: Attendee;
  /** The page's own capability, from its request for admission. */
  decodesAudio: boolean;
  now: () => number;
  loopbackOnly: boolean;
  /** Storage of the browser's media. */
  received: ReceivedMedia;
  onState: (state: 'connected' | 'closed') => void;
  /** Number of packets of others' frames sent to the browser. */
  onVideoPackets: (packets: number) => void;
  /** To the page, as a message of this platform only. */
  send: (message: object) => void;
  /** To the page, unmodified. */
  sendText: (text: string) => void;
  /** Dropped while the page does not keep up. */
  sendBinary: (content: Buffer) => void;
};

/** The call as one admitted browser gets it. */
export type ClientCall = {
  /** Goes to the page, which responds to it; null: this platform's media needs no response. */
  offerSdp: string | null;
  sink: MediaSink;
  accept(answerSdp: string): Promise<void>;
  memberChanged(member: Member, status: MemberStatus): void;
  chat(message: ChatMessage): void;
  /** Absent: like a member who joins. */
  renamed?(member: Member): void;
  /** A browser's camera or microphone was switched. */
  devicesChanged?(member: Member): void;
  /** A browser turned its captions on or off. */
  captions?(on: boolean): void;
  /** Others' videos are sent from now on, or no more. */
  receiveVideo?(wanted: boolean): void;
  /** What the page sends over its socket that is no text. */
  takeMedia?(content: Buffer): void;
  /** The meeting ends for this browser, before `close`. */
  ended?(how: 'removed' | 'meetingEnded'): void;
  close(): Promise<void>;
};

export type SessionOptions = {
  socket: WebSocket;
  hosted: HostedRoom;
  dialect: ClientDialect;
  /** How the platform has changed its page; null: not at all. */
  pageChange: PageChange | null;
  now: () => number;
  loopbackOnly: boolean;
  log: SimulatorLog;
};

const LONGEST_QUEUE_BYTES = 4 * 1024 * 1024;

/** One browser from the moment its page opens the WebSocket until that closes. */
export class ClientSession {
  readonly #options: SessionOptions;
  #attendee: Attendee | null = null;
  #call: ClientCall | null = null;
  #detach: () => void = () => undefined;
  #decodesAudio = false;
  readonly #loss = new NetworkLoss();
  readonly #stopListening: () => void;
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { socket, hosted, dialect } = options;
    socket.on('message', (data, isBinary) => {
      if (!isBinary) this.#receive((data as Buffer).toString('utf8'));
      else if (!this.#loss.going) this.#call?.takeMedia?.(data as Buffer);
    });
    socket.on('close', () => this.#connectionClosed());
    socket.on('error', () => socket.terminate());
    this.#stopListening = hosted.faults.listen((fault) => this.#strike(fault));
    const { pageChange } = options;
    this.#send({ kind: 'welcome', lateness: hosted.faults.lateness, pageChange, ...dialect.welcome(hosted) });
    hosted.reached('opened');
  }

  /** Closes the socket and the media; the room observes a lost connection. */
  async stop(): Promise<void> {
    this.#options.socket.terminate();
    this.#connectionClosed();
    await this.#closeCall();
  }

  #send(message: ServerMessage | object): void {
    this.#sendText(JSON.stringify(message));
  }

  #sendText(text: string): void {
    const { socket } = this.#options;
    if (socket.readyState === socket.OPEN) socket.send(text);
  }

  #sendBinary(content: Buffer): void {
    const { socket } = this.#options;
    if (socket.readyState === socket.OPEN && socket.bufferedAmount < LONGEST_QUEUE_BYTES) socket.send(content);
  }

  #receive(text: string): void {
    // Messages of the page arrive after the network loss.
    if (this.#loss.hold(() => this.#receive(text))) return;
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
    if (message.kind === 'requestJoin') this.#requestJoin(message);
    else if (message.kind === 'joinBlocked') room.noteBlockedRequest(message.name);
    else if (message.kind === 'pressIgnored') this.#pressIgnored(`${message.what}: ${message.why}`);
    else if (message.kind === 'answer') await this.#call?.accept(message.sdp);
    else if (message.kind === 'chat') room.chat(this.#attendee?.deviceId ?? '', message.text);
    else if (message.kind === 'devices') room.setDevices(this.#attendee?.id ?? '', message);
    else if (message.kind === 'incomingVideo') this.#call?.receiveVideo?.(message.wanted);
    else if (message.kind === 'noticeHidden') room.remove(this.#attendee?.name ?? '');
    else if (message.kind === 'captions') this.#captions(message);
    else if (this.#attendee !== null) {
      room.leave(this.#attendee.id, 'leaveButton');
      await this.#closeCall();
    }
  }

  #captions({ on, language }: Extract<PageMessage, { kind: 'captions' }>): void {
    if (this.#attendee !== null) this.#options.hosted.room.noteCaptions(this.#attendee.id, on ? language : null);
    this.#call?.captions?.(on);
  }

  #pressIgnored(text: string): void {
    const { hosted, log } = this.#options;
    hosted.room.noteSession('pressIgnored', text);
    log.info({ code: hosted.room.code, ignored: text }, 'A page ignored an input.');
  }

  #requestJoin({ name, decodesAudio }: Extract<PageMessage, { kind: 'requestJoin' }>): void {
    this.#decodesAudio = decodesAudio === true;
    const waiting = this.#attendee?.state === 'lobby' || this.#attendee?.state === 'inCall';
    if (waiting) return;
    const { room } = this.#options.hosted;
    this.#attendee = room.requestJoin({ name, notify: (event) => this.#notify(event) });
    if (this.#attendee === null) this.#send({ kind: 'meetingEnded' });
    else {
      this.#send({ kind: 'lobby', attendeeId: this.#attendee.id, self: memberOf(this.#attendee) });
      this.#options.hosted.reached('requested');
    }
  }

  #strike(fault: Fault): void {
    this.#send({ kind: 'fault', fault });
    if (fault.kind !== 'network-loss') return;
    this.#detach();
    this.#loss.begin(fault.seconds * 1000, () => this.#lineIsBack(fault));
  }

  #lineIsBack({ forGood, renewsMedia }: Extract<Fault, { kind: 'network-loss' }>): void {
    if (forGood) return this.#options.socket.close();
    this.#send({ kind: 'networkBack' });
    const call = this.#call;
    const attendee = this.#attendee;
    if (call === null || attendee?.state !== 'inCall') return;
    if (!renewsMedia) return this.#startSending(call, attendee.id);
    this.#closeCall()
      .then(() => this.#openCall())
      .catch((error: unknown) => this.#options.log.error({ error: String(error) }, 'The media could not be renewed.'));
  }

  #notify(event: AttendeeEvent): void {
    if (this.#loss.hold(() => this.#notify(event))) return;
    if (event.kind === 'admitted') {
      this.#options.hosted.reached('admitted');
      const { room } = this.#options.hosted;
      const screens = room.screenShared && this.#options.dialect.showsScreens === true ? [room.screen] : [];
      this.#send({ kind: 'admitted', members: [...room.membersInCall(), ...screens].map(memberOf) });
      this.#openCall().catch((error: unknown) => {
        this.#options.log.error({ error: String(error) }, 'The media connection could not be opened.');
      });
    } else if (event.kind === 'memberChanged') {
      const isScreen = event.member.parentDeviceId !== undefined;
      if (isScreen && this.#options.dialect.showsScreens !== true) return;
      this.#send({ kind: 'member', member: memberOf(event.member), status: event.status });
      this.#call?.memberChanged(event.member, event.status);
    } else if (event.kind === 'renamed') {
      this.#send({ kind: 'member', member: memberOf(event.member), status: 'inCall' });
      if (this.#call?.renamed) this.#call.renamed(event.member);
      else this.#call?.memberChanged(event.member, 'inCall');
    } else if (event.kind === 'devicesChanged') {
      this.#send({ kind: 'member', member: memberOf(event.member), status: 'inCall' });
      this.#call?.devicesChanged?.(event.member);
    } else if (event.kind === 'chat') {
      this.#send({ kind: 'chat', message: event.message });
      this.#call?.chat(event.message);
    } else {
      if (event.kind === 'removed' || event.kind === 'meetingEnded') this.#call?.ended?.(event.kind);
      else this.#turnAway(event.kind);
      this.#send(event);
      void this.#closeCall();
    }
  }

  #turnAway(how: 'refused' | 'noResponse'): void {
    const { dialect, hosted } = this.#options;
    const text = dialect.turnedAway?.(how, hosted) ?? null;
    if (text !== null) this.#sendText(text);
  }

  async #openCall(): Promise<void> {
    const { hosted, dialect, now, loopbackOnly } = this.#options;
    const attendee = this.#attendee;
    if (attendee === null) return;
    let call: ClientCall | null = null;
    let connected = false;
    call = await dialect.openCall({
      hosted,
      attendee,
      decodesAudio: this.#decodesAudio,
      now,
      loopbackOnly,
      received: hosted.received.of(attendee.id),
      onState: (state) => {
        if (state === 'closed') return hosted.room.noteMedia(attendee.id, 'mediaLost');
        connected = true;
        if (call !== null) this.#startSending(call, attendee.id);
      },
      onVideoPackets: (packets) => void (attendee.videoPackets += packets),
      send: (message) => this.#send(message),
      sendText: (text) => this.#sendText(text),
      sendBinary: (content) => this.#sendBinary(content),
    });
    this.#call = call;
    if (this.#closed || attendee.state !== 'inCall') return this.#closeCall();
    if (call.offerSdp !== null) this.#send({ kind: 'offer', sdp: call.offerSdp });
    // Media that needs no response is there before its opening is over.
    if (connected) this.#startSending(call, attendee.id);
  }

  #startSending(call: ClientCall, attendeeId: string): void {
    if (this.#call !== call || this.#closed || this.#loss.going) return;
    this.#options.hosted.room.noteMedia(attendeeId, 'mediaConnected');
    this.#detach();
    this.#detach = this.#options.hosted.broadcast.attach(call.sink);
  }

  #connectionClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#loss.stop();
    this.#stopListening();
    if (this.#attendee !== null) this.#options.hosted.room.leave(this.#attendee.id, 'connectionLost');
    void this.#closeCall();
  }

  async #closeCall(): Promise<void> {
    const call = this.#call;
    this.#call = null;
    this.#detach();
    this.#detach = () => undefined;
    if (call !== null) this.#options.hosted.room.noteFrames(this.#attendee?.id ?? '');
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

/** The fields for a page: an attendee also has its id and its times. */
export function memberOf(member: Member): Member {
  const { deviceId, name, participantIndex, isHost, audioStreamId, videoStreamId, parentDeviceId } = member;
  const { camera, microphone, kind } = member;
  const screen = parentDeviceId === undefined ? {} : { parentDeviceId };
  const devices = camera === undefined ? {} : { camera, microphone: microphone === true };
  return {
    deviceId,
    name,
    participantIndex,
    isHost,
    audioStreamId,
    videoStreamId,
    ...screen,
    ...devices,
    ...(kind && { kind }),
  };
}
