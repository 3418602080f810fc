import type { WebSocket } from 'ws';
import type { SimulatorLog } from '../log.ts';
import type { Attendee, AttendeeEvent, Member } from '../rooms/members.ts';
import type { HostedRoom } from '../rooms/room-registry.ts';
import { openAttendeeMedia } from './attendee-media.ts';
import type { AttendeeMedia } from './attendee-media.ts';
import { encodeCollectionEvent } from './collections.ts';
import type { OutputRecord, UserRecord, UserStatus } from './collections.ts';
import { pageMessageSchema } from './page-messages.ts';
import type { PageMessage, ServerMessage } from './page-messages.ts';

export type SessionOptions = {
  socket: WebSocket;
  hosted: HostedRoom;
  now: () => number;
  loopbackOnly: boolean;
  log: SimulatorLog;
};

/** One browser from the moment its page opens the WebSocket until that closes. */
export class AttendeeSession {
  readonly #options: SessionOptions;
  #attendee: Attendee | null = null;
  #media: AttendeeMedia | null = null;
  #detach: () => void = () => undefined;
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { socket, hosted } = options;
    socket.on('message', (data) => this.#receive((data as Buffer).toString('utf8')));
    socket.on('close', () => this.#connectionClosed());
    socket.on('error', () => socket.terminate());
    const { lobbyShape, permissionSheet, gotIt, recordingNotice } = hosted.options;
    this.#send({ kind: 'welcome', lobbyShape, permissionSheet, gotIt, recordingNotice });
  }

  /** Closes the socket and the media; the room sees it as a lost connection. */
  async stop(): Promise<void> {
    this.#options.socket.terminate();
    this.#connectionClosed();
    await this.#closeMedia();
  }

  #send(message: ServerMessage): void {
    if (this.#options.socket.readyState === this.#options.socket.OPEN)
      this.#options.socket.send(JSON.stringify(message));
  }

  #receive(text: string): void {
    const message = parseMessage(text);
    if (message === null) {
      this.#options.log.warn({ code: this.#options.hosted.room.code }, 'A page sent a message that is not understood.');
      return;
    }
    this.#handle(message).catch((error: unknown) => {
      this.#options.log.error({ error: String(error), code: this.#options.hosted.room.code }, 'A page message failed.');
    });
  }

  async #handle(message: PageMessage): Promise<void> {
    const { room } = this.#options.hosted;
    if (message.kind === 'knock') this.#knock(message.name);
    else if (message.kind === 'knockBlocked') room.knockBlocked(message.name);
    else if (message.kind === 'answer') await this.#media?.accept(message.sdp);
    else if (message.kind === 'chat') room.chat(this.#attendee?.deviceId ?? '', message.text);
    else if (this.#attendee !== null) {
      room.leave(this.#attendee.id, 'leaveButton');
      await this.#closeMedia();
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
      this.#openMedia().catch((error: unknown) => {
        this.#options.log.error({ error: String(error) }, 'The media connection could not be opened.');
      });
    } else if (event.kind === 'memberChanged') {
      this.#send({ kind: 'member', member: memberOf(event.member), status: event.status });
      const present = event.status === 'inCall';
      this.#media?.sendCollections(
        encodeCollectionEvent({
          users: [this.#userRecord(event.member, event.status)],
          outputs: present ? outputsOf(event.member) : [],
        }),
      );
    } else if (event.kind === 'chat') {
      this.#send({ kind: 'chat', message: event.message });
      this.#media?.sendCollections(encodeCollectionEvent({ chat: [event.message] }));
    } else {
      this.#send(event);
      void this.#closeMedia();
    }
  }

  async #openMedia(): Promise<void> {
    const { hosted, now, loopbackOnly } = this.#options;
    const attendeeId = this.#attendee?.id ?? '';
    const media = await openAttendeeMedia({
      people: hosted.room.people().map((person) => person.member),
      clockZero: hosted.room.clockZero,
      framesPerSecond: hosted.options.framesPerSecond,
      now,
      loopbackOnly,
      onState: (state) => {
        if (state === 'connected') this.#startSending(attendeeId);
        else hosted.room.noteMedia(attendeeId, 'mediaLost');
      },
      onCollectionsOpen: () => this.#sendWholeRoster(),
    });
    this.#media = media;
    if (this.#closed || this.#attendee?.state !== 'inCall') await this.#closeMedia();
    else this.#send({ kind: 'offer', sdp: media.offerSdp });
  }

  #startSending(attendeeId: string): void {
    if (this.#media === null || this.#closed) return;
    this.#options.hosted.room.noteMedia(attendeeId, 'mediaConnected');
    this.#detach();
    this.#detach = this.#options.hosted.broadcast.attach(this.#media);
  }

  #sendWholeRoster(): void {
    const members = this.#options.hosted.room.membersInCall();
    this.#media?.sendCollections(
      encodeCollectionEvent({
        users: members.map((member) => this.#userRecord(member, 'inCall')),
        outputs: members.flatMap(outputsOf),
      }),
    );
  }

  #userRecord(member: Member, status: UserStatus): UserRecord {
    const isSelf = member.deviceId === this.#attendee?.deviceId;
    return { deviceId: member.deviceId, fullName: member.name, status, isSelf, isHost: member.isHost };
  }

  #connectionClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#attendee !== null) this.#options.hosted.room.leave(this.#attendee.id, 'connectionLost');
    void this.#closeMedia();
  }

  async #closeMedia(): Promise<void> {
    const media = this.#media;
    this.#media = null;
    this.#detach();
    this.#detach = () => undefined;
    await media?.close();
  }
}

function parseMessage(text: string): PageMessage | null {
  try {
    return pageMessageSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function outputsOf(member: Member): OutputRecord[] {
  const { deviceId } = member;
  // Browsers send no media to the room, so theirs are off.
  const disabled = member.personIndex === null;
  return [
    { kind: 'audio', streamId: member.audioStreamId, deviceId, disabled },
    { kind: 'video', streamId: member.videoStreamId, deviceId, disabled },
  ];
}

/** Only what a page may know: an attendee also has its id and its times. */
function memberOf(member: Member): Member {
  const { deviceId, name, personIndex, isHost, audioStreamId, videoStreamId } = member;
  return { deviceId, name, personIndex, isHost, audioStreamId, videoStreamId };
}
