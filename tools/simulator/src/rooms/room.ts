import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { PictureKind } from '../media/picture-loop.ts';
import { MemberNumbers } from './members.ts';
import type { Attendee, AttendeeEvent, AttendeeState, ChatMessage, Member } from './members.ts';
import { RoomLog } from './room-log.ts';
import type { RoomLogEntry } from './room-log.ts';

export type RoomRules = {
  lobby: 'admit' | 'wait' | 'refuse';
  admitAfterMs: number;
  lobbyTimeoutMs: number;
  durationSeconds?: number | undefined;
};

export type Knock = { name: string; notify: (event: AttendeeEvent) => void };

const LARGEST_ATTENDANCE = 50;
/** More than any platform's composer takes; each page cuts as its platform does. */
const LONGEST_CHAT = 4_096;
/** Past visits that are kept for GET /rooms/:code. */
const LONGEST_GUEST_BOOK = 500;

type Visit = { attendee: Attendee; notify: Knock['notify']; cancelTimers: (() => void)[] };

type PictureChange = { [Part in keyof PictureKind]?: PictureKind[Part] | undefined };

/**
 * Who is in one meeting and what happens to them; no media, no sockets. Browsers go lobby -> inCall -> left, removed or
 * ended, or lobby -> refused, noAnswer or left; those last states are final.
 */
export class Room {
  readonly code: string;
  readonly clockZero: number;
  readonly #clock: Clock;
  readonly #rules: RoomRules;
  readonly #space = randomBytes(9).toString('base64url');
  readonly #numbers = new MemberNumbers(this.#space);
  readonly #people: { member: Member; inCall: boolean }[];
  readonly #visits = new Map<string, Visit>();
  readonly #log: RoomLog;
  readonly #cancelEnd: () => void;
  readonly #onPersonChanged: (personIndex: number, inCall: boolean) => void;
  readonly #onScreenChanged: (personIndex: number | null) => void;
  readonly #onPictureChanged: (personIndex: number, change: Partial<PictureKind>) => void;
  readonly #screen: Member;
  #screenShared = false;
  #endedAt: number | null = null;

  constructor(options: {
    code: string;
    peopleNames: readonly string[];
    rules: RoomRules;
    clock: Clock;
    clockZero: number;
    /** Indexes of people who are not there from the start. */
    absent?: readonly number[];
    /** Indexes of people whose camera is off. */
    withoutCamera?: readonly number[];
    /** Somebody's sound and picture are there from now on, or no more. */
    onPersonChanged: (personIndex: number, inCall: boolean) => void;
    /** Who shares a screen now, or null. */
    onScreenChanged?: (personIndex: number | null) => void;
    /** Somebody's picture is to be sent in another way. */
    onPictureChanged?: (personIndex: number, change: Partial<PictureKind>) => void;
  }) {
    this.code = options.code;
    this.clockZero = options.clockZero;
    this.#clock = options.clock;
    this.#rules = options.rules;
    this.#onPersonChanged = options.onPersonChanged;
    this.#onScreenChanged = options.onScreenChanged ?? (() => undefined);
    this.#onPictureChanged = options.onPictureChanged ?? (() => undefined);
    this.#log = new RoomLog(options.clock.now);
    this.#people = options.peopleNames.map((name, index) => ({
      member: {
        ...this.#numbers.newMember(name, index),
        ...(options.withoutCamera?.includes(index) === true ? { camera: false, microphone: true } : {}),
      },
      inCall: options.absent?.includes(index) !== true,
    }));
    this.#screen = this.#numbers.newMember('', null);
    this.#log.add('roomStarted', null);
    for (const { member, inCall } of this.#people) {
      if (inCall) this.#log.add('joined', member);
      else if (member.personIndex !== null) this.#onPersonChanged(member.personIndex, false);
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
    return [...this.#visits.values()].map((visit) => visit.attendee);
  }

  /** Everybody who is in the call now: simulated people first, then browsers. */
  membersInCall(): Member[] {
    const people = this.#people.filter((person) => person.inCall).map((person) => person.member);
    return [...people, ...this.attendees().filter((attendee) => attendee.state === 'inCall')];
  }

  /** The screen that somebody shares, or would share: its numbers stay the same. */
  get screen(): Member {
    return this.#screen;
  }

  get screenShared(): boolean {
    return this.#screenShared;
  }

  people(): { member: Member; inCall: boolean }[] {
    return this.#people.map((person) => ({ ...person }));
  }

  /** A browser asks to join. Null when the meeting is over or too many browsers are there. */
  knock(knock: Knock): Attendee | null {
    const present = this.attendees().filter((attendee) => attendee.state === 'lobby' || attendee.state === 'inCall');
    if (this.#endedAt !== null || present.length >= LARGEST_ATTENDANCE) return null;
    const attendee: Attendee = {
      ...this.#numbers.newMember(knock.name, null),
      camera: false,
      microphone: false,
      id: randomUUID(),
      state: 'lobby',
      knockedAt: this.#clock.now(),
      joinedAt: null,
      picturePackets: 0,
    };
    const visit: Visit = { attendee, notify: knock.notify, cancelTimers: [] };
    if (this.#visits.size >= LONGEST_GUEST_BOOK) this.#forgetOldestVisit();
    this.#visits.set(attendee.id, visit);
    this.#log.add('joinRequested', attendee);
    visit.cancelTimers.push(this.#clock.after(this.#rules.lobbyTimeoutMs, () => this.#closeLobby(visit, 'noAnswer')));
    if (this.#rules.lobby !== 'wait') {
      const decide = () => (this.#rules.lobby === 'admit' ? this.#letIn(visit) : this.#closeLobby(visit, 'refused'));
      visit.cancelTimers.push(this.#clock.after(this.#rules.admitAfterMs, decide));
    }
    return attendee;
  }

  /** A click that no person made: the page refuses it like the real one. */
  knockBlocked(name: string): void {
    this.#log.add('knockBlocked', { name, deviceId: '' });
  }

  /** Lets in everyone who waits, or everyone who waits under that name. Gives how many. */
  admit(name?: string): number {
    return this.#eachWaiting(name, (visit) => this.#letIn(visit));
  }

  /** Turns away everyone who waits, or everyone who waits under that name. Gives how many. */
  refuse(name?: string): number {
    return this.#eachWaiting(name, (visit) => this.#closeLobby(visit, 'refused'));
  }

  /** What a browser that is here sends of its own from now on. */
  setDevices(attendeeId: string, devices: { camera: boolean; microphone: boolean }): void {
    const attendee = this.#visits.get(attendeeId)?.attendee;
    if (attendee?.state !== 'lobby' && attendee?.state !== 'inCall') return;
    let changed = false;
    for (const device of ['camera', 'microphone'] as const) {
      if (attendee[device] === devices[device]) continue;
      attendee[device] = devices[device];
      changed = true;
      this.#log.add(`${device}${devices[device] ? 'On' : 'Off'}`, attendee);
    }
    if (changed && attendee.state === 'inCall') this.#tellAll({ kind: 'devicesChanged', member: attendee });
  }

  /** The browser's own doing, or the end of its connection. */
  leave(attendeeId: string, how: 'leaveButton' | 'connectionLost'): void {
    const visit = this.#visits.get(attendeeId);
    if (visit?.attendee.state === 'lobby') {
      this.#settle(visit, 'left');
      this.#log.add('withdrew', visit.attendee, how);
    } else if (visit?.attendee.state === 'inCall') {
      this.#settle(visit, 'left');
      this.#log.add('left', visit.attendee, how);
      this.#tellAll({ kind: 'memberChanged', member: visit.attendee, status: 'left' });
    }
  }

  /** The host removes whoever has this name. Gives how many that were. */
  remove(name: string): number {
    const visits = [...this.#visits.values()].filter(
      (visit) => visit.attendee.state === 'inCall' && visit.attendee.name === name,
    );
    for (const visit of visits) {
      this.#settle(visit, 'removed');
      this.#log.add('removed', visit.attendee);
      visit.notify({ kind: 'removed' });
      this.#tellAll({ kind: 'memberChanged', member: visit.attendee, status: 'removed' });
    }
    const people = this.#people.filter((person) => person.inCall && person.member.name === name);
    for (const { member } of people) this.#personGoes(member, 'removed');
    return visits.length + people.length;
  }

  /** False when there is no such person or they have gone already. */
  personLeaves(personIndex: number): boolean {
    const person = this.#people[personIndex];
    if (person === undefined || !person.inCall || this.#endedAt !== null) return false;
    this.#personGoes(person.member, 'left');
    return true;
  }

  /** False when there is no such person or they are there already. */
  personJoins(personIndex: number): boolean {
    const person = this.#people[personIndex];
    if (person === undefined || person.inCall || this.#endedAt !== null) return false;
    person.inCall = true;
    this.#log.add('joined', person.member);
    this.#onPersonChanged(personIndex, true);
    this.#tellAll({ kind: 'memberChanged', member: person.member, status: 'inCall' });
    return true;
  }

  /** Somebody presents. One screen at a time; false when one is shared already or that person is not there. */
  shareScreen(personIndex: number): boolean {
    const person = this.#people[personIndex];
    if (person === undefined || !person.inCall || this.#screenShared) return false;
    this.#screenShared = true;
    Object.assign(this.#screen, {
      name: `${person.member.name} (Presentation)`,
      parentDeviceId: person.member.deviceId,
    });
    this.#log.add('screenShared', person.member);
    this.#onScreenChanged(personIndex);
    this.#tellAll({ kind: 'memberChanged', member: this.#screen, status: 'inCall' });
    return true;
  }

  stopSharing(): boolean {
    if (!this.#screenShared) return false;
    this.#screenShared = false;
    this.#log.add('screenUnshared', this.#screen);
    this.#onScreenChanged(null);
    this.#tellAll({ kind: 'memberChanged', member: this.#screen, status: 'left' });
    return true;
  }

  /** One person's picture, or everybody's, is sent in another way; false when that person is not there. */
  changePicture(personIndex: number | null, { codec, size }: PictureChange): boolean {
    const change = { ...(codec === undefined ? {} : { codec }), ...(size === undefined ? {} : { size }) };
    const indexes = personIndex === null ? [...this.#people.keys()] : [personIndex];
    const changed = indexes.filter((index) => this.#people[index]?.inCall === true);
    for (const index of changed) {
      this.#log.add('pictureChanged', this.#people[index]?.member ?? null, Object.values(change).join(' '));
      this.#onPictureChanged(index, change);
    }
    return changed.length > 0;
  }

  /** Everybody leaves by themselves. */
  everyoneLeaves(): void {
    for (const [index] of this.#people.entries()) this.personLeaves(index);
  }

  /** The host removes every browser. Gives how many. */
  removeGuests(): number {
    const guests = this.attendees().filter(({ state }) => state === 'inCall');
    const names = [...new Set(guests.map(({ name }) => name))];
    return names.reduce((count, name) => count + this.remove(name), 0);
  }

  /** Something that the room's log is to hold and that is nobody's doing. */
  noteFault(what: string): void {
    this.#log.add('fault', null, what);
  }

  /** What a browser did before it asked to join. */
  noteVisit(what: 'pageOpened' | 'pressIgnored', text: string): void {
    this.#log.add(what, null, text);
  }

  /** Null when nobody of that device is in the call. */
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
    this.#tellAll({ kind: 'chat', message });
    return message;
  }

  noteMedia(attendeeId: string, what: 'mediaConnected' | 'mediaLost'): void {
    const visit = this.#visits.get(attendeeId);
    if (visit !== undefined) this.#log.add(what, visit.attendee);
  }

  /** A connection's media is over: what went through it is said. */
  notePictures(attendeeId: string): void {
    const visit = this.#visits.get(attendeeId);
    if (visit !== undefined) this.#log.add('picturesSent', visit.attendee, String(visit.attendee.picturePackets));
  }

  /** The meeting ends for everyone; safe to call twice. */
  end(): void {
    if (this.#endedAt !== null) return;
    this.#endedAt = this.#clock.now();
    this.#cancelEnd();
    this.#log.add('meetingEnded', null);
    for (const visit of this.#visits.values()) {
      if (visit.attendee.state !== 'lobby' && visit.attendee.state !== 'inCall') continue;
      this.#settle(visit, 'ended');
      visit.notify({ kind: 'meetingEnded' });
    }
    for (const person of this.#people) person.inCall = false;
    this.#screenShared = false;
  }

  #eachWaiting(name: string | undefined, act: (visit: Visit) => void): number {
    const waiting = [...this.#visits.values()].filter(
      ({ attendee }) => attendee.state === 'lobby' && (name === undefined || attendee.name === name),
    );
    waiting.forEach(act);
    return waiting.length;
  }

  #letIn(visit: Visit): void {
    if (visit.attendee.state !== 'lobby') return;
    this.#settle(visit, 'inCall');
    visit.attendee.joinedAt = this.#clock.now();
    this.#log.add('admitted', visit.attendee);
    this.#log.add('joined', visit.attendee);
    visit.notify({ kind: 'admitted' });
    this.#tellAll({ kind: 'memberChanged', member: visit.attendee, status: 'inCall' });
  }

  #closeLobby(visit: Visit, outcome: 'refused' | 'noAnswer'): void {
    if (visit.attendee.state !== 'lobby') return;
    this.#settle(visit, outcome);
    this.#log.add(outcome, visit.attendee);
    visit.notify({ kind: outcome });
  }

  #personGoes(member: Member, status: 'left' | 'removed'): void {
    for (const person of this.#people) if (person.member === member) person.inCall = false;
    this.#log.add(status, member);
    if (member.personIndex !== null) this.#onPersonChanged(member.personIndex, false);
    if (this.#screen.parentDeviceId === member.deviceId) this.stopSharing();
    this.#tellAll({ kind: 'memberChanged', member, status });
  }

  #forgetOldestVisit(): void {
    const over = [...this.#visits].find(
      ([, { attendee }]) => attendee.state !== 'lobby' && attendee.state !== 'inCall',
    );
    if (over !== undefined) this.#visits.delete(over[0]);
  }

  #settle(visit: Visit, state: AttendeeState): void {
    visit.attendee.state = state;
    for (const cancel of visit.cancelTimers.splice(0)) cancel();
  }

  #tellAll(event: AttendeeEvent): void {
    for (const visit of this.#visits.values()) if (visit.attendee.state === 'inCall') visit.notify(event);
  }
}
