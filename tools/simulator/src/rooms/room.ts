import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { VideoKind } from '../media/video-loop.ts';
import { MemberNumbers } from './members.ts';
import type { Attendee, AttendeeEvent, AttendeeState, ChatMessage, Member, PlannedMember } from './members.ts';

/** The events of a room; the oracle for a bot's own reports. */
type RoomLogKind =
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

type RoomLogEntry = {
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
class RoomLog {
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

export type RoomRules = {
  lobby: 'admit' | 'wait' | 'refuse';
  admitAfterMs: number;
  lobbyTimeoutMs: number;
  durationSeconds?: number | undefined;
};

export type JoinRequest = { name: string; notify: (event: AttendeeEvent) => void };

const LARGEST_ATTENDANCE = 50;
/** More than any platform's composer takes; each page cuts as its platform does. */
const LONGEST_CHAT = 4_096;
/** Past sessions that are kept for GET /rooms/:code. */
const LONGEST_GUEST_BOOK = 500;

type ClientConnection = { attendee: Attendee; notify: JoinRequest['notify']; cancelTimers: (() => void)[] };

type VideoChange = { [Part in keyof VideoKind]?: VideoKind[Part] | undefined };

/**
 * The members of one meeting and their states; no media, no sockets. Browsers go lobby -> inCall -> left, removed or
 * ended, or lobby -> refused, noResponse or left; those last states are final.
 */
export class Room {
  readonly code: string;
  readonly clockZero: number;
  readonly #clock: Clock;
  readonly #rules: RoomRules;
  readonly #space = randomBytes(9).toString('base64url');
  readonly #numbers = new MemberNumbers(this.#space);
  readonly #participants: { member: Member; inCall: boolean }[];
  readonly #sessions = new Map<string, ClientConnection>();
  readonly #log: RoomLog;
  readonly #cancelEnd: () => void;
  readonly #onParticipantChanged: (participantIndex: number, inCall: boolean) => void;
  readonly #onScreenChanged: (participantIndex: number | null) => void;
  readonly #onVideoChanged: (participantIndex: number, change: Partial<VideoKind>) => void;
  readonly #screen: Member;
  #screenShared = false;
  #endedAt: number | null = null;

  constructor(options: {
    code: string;
    participants: readonly PlannedMember[];
    rules: RoomRules;
    clock: Clock;
    clockZero: number;
    /** Indexes of participants who are absent at the start. */
    absent?: readonly number[];
    /** Indexes of participants whose camera is off. */
    withoutCamera?: readonly number[];
    /** A participant's audio and video begin or end. */
    onParticipantChanged: (participantIndex: number, inCall: boolean) => void;
    /** The sharing participant, or null. */
    onScreenChanged?: (participantIndex: number | null) => void;
    /** The encoding of a participant's video is to change. */
    onVideoChanged?: (participantIndex: number, change: Partial<VideoKind>) => void;
  }) {
    this.code = options.code;
    this.clockZero = options.clockZero;
    this.#clock = options.clock;
    this.#rules = options.rules;
    this.#onParticipantChanged = options.onParticipantChanged;
    this.#onScreenChanged = options.onScreenChanged ?? (() => undefined);
    this.#onVideoChanged = options.onVideoChanged ?? (() => undefined);
    this.#log = new RoomLog(options.clock.now);
    this.#participants = this.#numbers.newMembers(options.participants).map((member, index) => ({
      member: options.withoutCamera?.includes(index) === true ? { ...member, camera: false, microphone: true } : member,
      inCall: options.absent?.includes(index) !== true,
    }));
    this.#screen = this.#numbers.newMember('', null);
    this.#log.add('roomStarted', null);
    for (const { member, inCall } of this.#participants) {
      if (inCall) this.#log.add('joined', member);
      else if (member.participantIndex !== null) this.#onParticipantChanged(member.participantIndex, false);
    }
    const { durationSeconds } = options.rules;
    this.#cancelEnd =
      durationSeconds === undefined ? () => undefined : this.#clock.after(durationSeconds * 1000, () => this.end());
  }

  get endedAt(): number | null {
    return this.#endedAt;
  }

  log(): RoomLogEntry[] {
    return this.#log.entries();
  }

  attendees(): Attendee[] {
    return [...this.#sessions.values()].map((session) => session.attendee);
  }

  /** All members in the call: simulated participants first, then browsers. */
  membersInCall(): Member[] {
    const participants = this.#participants
      .filter((participant) => participant.inCall)
      .map((participant) => participant.member);
    return [...participants, ...this.attendees().filter((attendee) => attendee.state === 'inCall')];
  }

  /** The current or future shared screen: its ids stay the same. */
  get screen(): Member {
    return this.#screen;
  }

  get screenShared(): boolean {
    return this.#screenShared;
  }

  participants(): { member: Member; inCall: boolean }[] {
    return this.#participants.map((participant) => ({ ...participant }));
  }

  /** A browser requests admission. Null when the meeting is over or has too many browsers. */
  requestJoin(request: JoinRequest): Attendee | null {
    const present = this.attendees().filter((attendee) => attendee.state === 'lobby' || attendee.state === 'inCall');
    if (this.#endedAt !== null || present.length >= LARGEST_ATTENDANCE) return null;
    const attendee: Attendee = {
      ...this.#numbers.newMember(request.name, null),
      camera: false,
      microphone: false,
      id: randomUUID(),
      state: 'lobby',
      requestedAt: this.#clock.now(),
      joinedAt: null,
      videoPackets: 0,
    };
    const session: ClientConnection = { attendee, notify: request.notify, cancelTimers: [] };
    if (this.#sessions.size >= LONGEST_GUEST_BOOK) this.#forgetOldestSession();
    this.#sessions.set(attendee.id, session);
    this.#log.add('joinRequested', attendee);
    session.cancelTimers.push(
      this.#clock.after(this.#rules.lobbyTimeoutMs, () => this.#closeLobby(session, 'noResponse')),
    );
    if (this.#rules.lobby !== 'wait') {
      const decide = () =>
        this.#rules.lobby === 'admit' ? this.#letIn(session) : this.#closeLobby(session, 'refused');
      session.cancelTimers.push(this.#clock.after(this.#rules.admitAfterMs, decide));
    }
    return attendee;
  }

  /** A click that is no trusted event: the page refuses it like the real one. */
  noteBlockedRequest(name: string): void {
    this.#log.add('joinBlocked', { name, deviceId: '' });
  }

  /** Admits everyone in the lobby, or everyone there with that name. Returns their number. */
  admit(name?: string): number {
    return this.#eachWaiting(name, (session) => this.#letIn(session));
  }

  /** Denies everyone in the lobby, or everyone there with that name. Returns their number. */
  refuse(name?: string): number {
    return this.#eachWaiting(name, (session) => this.#closeLobby(session, 'refused'));
  }

  /** The devices that a browser sends from now on. */
  setDevices(attendeeId: string, devices: { camera: boolean; microphone: boolean }): void {
    const attendee = this.#sessions.get(attendeeId)?.attendee;
    if (attendee?.state !== 'lobby' && attendee?.state !== 'inCall') return;
    let changed = false;
    for (const device of ['camera', 'microphone'] as const) {
      if (attendee[device] === devices[device]) continue;
      attendee[device] = devices[device];
      changed = true;
      this.#log.add(`${device}${devices[device] ? 'On' : 'Off'}`, attendee);
    }
    if (changed && attendee.state === 'inCall') this.#broadcast({ kind: 'devicesChanged', member: attendee });
  }

  /** The browser left by itself, or its connection ended. */
  leave(attendeeId: string, how: 'leaveButton' | 'connectionLost'): void {
    const session = this.#sessions.get(attendeeId);
    if (session?.attendee.state === 'lobby') {
      this.#settle(session, 'left');
      this.#log.add('withdrew', session.attendee, how);
    } else if (session?.attendee.state === 'inCall') {
      this.#settle(session, 'left');
      this.#log.add('left', session.attendee, how);
      this.#broadcast({ kind: 'memberChanged', member: session.attendee, status: 'left' });
    }
  }

  /** The host removes everyone with this name. Returns their number. */
  remove(name: string): number {
    const sessions = [...this.#sessions.values()].filter(
      (session) => session.attendee.state === 'inCall' && session.attendee.name === name,
    );
    for (const session of sessions) {
      this.#settle(session, 'removed');
      this.#log.add('removed', session.attendee);
      session.notify({ kind: 'removed' });
      this.#broadcast({ kind: 'memberChanged', member: session.attendee, status: 'removed' });
    }
    const participants = this.#participants.filter(
      (participant) => participant.inCall && participant.member.name === name,
    );
    for (const { member } of participants) this.#participantGoes(member, 'removed');
    return sessions.length + participants.length;
  }

  /** False when there is no such participant or it has left already. */
  participantLeaves(participantIndex: number): boolean {
    const participant = this.#participants[participantIndex];
    if (participant === undefined || !participant.inCall || this.#endedAt !== null) return false;
    this.#participantGoes(participant.member, 'left');
    return true;
  }

  /** False when there is no such participant or it has joined already. */
  participantJoins(participantIndex: number): boolean {
    const participant = this.#participants[participantIndex];
    if (participant === undefined || participant.inCall || this.#endedAt !== null) return false;
    participant.inCall = true;
    this.#log.add('joined', participant.member);
    this.#onParticipantChanged(participantIndex, true);
    this.#broadcast({ kind: 'memberChanged', member: participant.member, status: 'inCall' });
    return true;
  }

  /** The id stays; the former messages keep the former name. False when that participant is absent. */
  renameParticipant(participantIndex: number, name: string): boolean {
    const participant = this.#participants[participantIndex];
    if (participant === undefined || !participant.inCall || this.#endedAt !== null) return false;
    this.#log.add('renamed', { ...participant.member, name }, participant.member.name);
    participant.member.name = name;
    this.#broadcast({ kind: 'renamed', member: participant.member });
    return true;
  }

  /**
   * A participant shares a screen. One screen at a time; false when one is shared already or that participant is
   * absent.
   */
  shareScreen(participantIndex: number): boolean {
    const participant = this.#participants[participantIndex];
    if (participant === undefined || !participant.inCall || this.#screenShared) return false;
    this.#screenShared = true;
    Object.assign(this.#screen, {
      name: `${participant.member.name} (Presentation)`,
      parentDeviceId: participant.member.deviceId,
    });
    this.#log.add('screenShared', participant.member);
    this.#onScreenChanged(participantIndex);
    this.#broadcast({ kind: 'memberChanged', member: this.#screen, status: 'inCall' });
    return true;
  }

  stopSharing(): boolean {
    if (!this.#screenShared) return false;
    this.#screenShared = false;
    this.#log.add('screenUnshared', this.#screen);
    this.#onScreenChanged(null);
    this.#broadcast({ kind: 'memberChanged', member: this.#screen, status: 'left' });
    return true;
  }

  /** Changes the encoding of one participant's video, or of all; false when that participant is absent. */
  changeVideo(participantIndex: number | null, { codec, size }: VideoChange): boolean {
    const change = { ...(codec === undefined ? {} : { codec }), ...(size === undefined ? {} : { size }) };
    const indexes = participantIndex === null ? [...this.#participants.keys()] : [participantIndex];
    const changed = indexes.filter((index) => this.#participants[index]?.inCall === true);
    for (const index of changed) {
      this.#log.add('pictureChanged', this.#participants[index]?.member ?? null, Object.values(change).join(' '));
      this.#onVideoChanged(index, change);
    }
    return changed.length > 0;
  }

  /** All participants leave by themselves. */
  everyoneLeaves(): void {
    for (const [index] of this.#participants.entries()) this.participantLeaves(index);
  }

  /** The host removes every browser. Returns their number. */
  removeGuests(): number {
    const guests = this.attendees().filter(({ state }) => state === 'inCall');
    const names = [...new Set(guests.map(({ name }) => name))];
    return names.reduce((count, name) => count + this.remove(name), 0);
  }

  /** An entry of the room's log without a participant. */
  noteFault(what: string): void {
    this.#log.add('fault', null, what);
  }

  /** An action of a browser before its request for admission. */
  noteSession(what: 'pageOpened' | 'pressIgnored', text: string): void {
    this.#log.add(what, null, text);
  }

  /** Null when the device is not in the call. */
  chat(deviceId: string, text: string): ChatMessage | null {
    const sender = this.membersInCall().find((member) => member.deviceId === deviceId);
    if (sender === undefined || this.#endedAt !== null) return null;
    const sentAtMs = this.#clock.now();
    const message: ChatMessage = {
      messageId: `spaces/${this.#space}/messages/${sentAtMs * 1000 + Math.floor(Math.random() * 1000)}`,
      deviceId,
      senderName: sender.name,
      sentAtMs,
      text: text.slice(0, LONGEST_CHAT),
    };
    this.#log.add('chat', sender, message.text);
    this.#broadcast({ kind: 'chat', message });
    return message;
  }

  noteMedia(attendeeId: string, what: 'mediaConnected' | 'mediaLost'): void {
    const session = this.#sessions.get(attendeeId);
    if (session !== undefined) this.#log.add(what, session.attendee);
  }

  /** A browser turned captions on in a language, or off (null). */
  noteCaptions(attendeeId: string, language: string | null): void {
    const session = this.#sessions.get(attendeeId);
    if (session === undefined) return;
    this.#log.add(language === null ? 'captionsOff' : 'captionsOn', session.attendee, language ?? undefined);
  }

  /** A connection's media has ended: logs the number of frames. */
  noteFrames(attendeeId: string): void {
    const session = this.#sessions.get(attendeeId);
    if (session !== undefined) this.#log.add('picturesSent', session.attendee, String(session.attendee.videoPackets));
  }

  /** Ends the meeting for everyone; safe to call twice. */
  end(): void {
    if (this.#endedAt !== null) return;
    this.#endedAt = this.#clock.now();
    this.#cancelEnd();
    this.#log.add('meetingEnded', null);
    for (const session of this.#sessions.values()) {
      if (session.attendee.state !== 'lobby' && session.attendee.state !== 'inCall') continue;
      this.#settle(session, 'ended');
      session.notify({ kind: 'meetingEnded' });
    }
    for (const participant of this.#participants) participant.inCall = false;
    this.#screenShared = false;
  }

  #eachWaiting(name: string | undefined, act: (session: ClientConnection) => void): number {
    const waiting = [...this.#sessions.values()].filter(
      ({ attendee }) => attendee.state === 'lobby' && (name === undefined || attendee.name === name),
    );
    waiting.forEach(act);
    return waiting.length;
  }

  #letIn(session: ClientConnection): void {
    if (session.attendee.state !== 'lobby') return;
    this.#settle(session, 'inCall');
    session.attendee.joinedAt = this.#clock.now();
    this.#log.add('admitted', session.attendee);
    this.#log.add('joined', session.attendee);
    session.notify({ kind: 'admitted' });
    this.#broadcast({ kind: 'memberChanged', member: session.attendee, status: 'inCall' });
  }

  #closeLobby(session: ClientConnection, outcome: 'refused' | 'noResponse'): void {
    if (session.attendee.state !== 'lobby') return;
    this.#settle(session, outcome);
    this.#log.add(outcome, session.attendee);
    session.notify({ kind: outcome });
  }

  #participantGoes(member: Member, status: 'left' | 'removed'): void {
    for (const participant of this.#participants) if (participant.member === member) participant.inCall = false;
    this.#log.add(status, member);
    if (member.participantIndex !== null) this.#onParticipantChanged(member.participantIndex, false);
    if (this.#screen.parentDeviceId === member.deviceId) this.stopSharing();
    this.#broadcast({ kind: 'memberChanged', member, status });
  }

  #forgetOldestSession(): void {
    const over = [...this.#sessions].find(
      ([, { attendee }]) => attendee.state !== 'lobby' && attendee.state !== 'inCall',
    );
    if (over !== undefined) this.#sessions.delete(over[0]);
  }

  #settle(session: ClientConnection, state: AttendeeState): void {
    session.attendee.state = state;
    for (const cancel of session.cancelTimers.splice(0)) cancel();
  }

  #broadcast(event: AttendeeEvent): void {
    for (const session of this.#sessions.values()) if (session.attendee.state === 'inCall') session.notify(event);
  }
}
