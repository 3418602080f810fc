import type { MediaSink } from '../media/broadcast.ts';
import { mediaMessage, readMediaMessage } from '../media/media-message.ts';
import type { PictureFrame } from '../media/picture-loop.ts';
import { Voices } from '../media/voices.ts';
import type { Member } from '../rooms/members.ts';
import type { VisitorCall, VisitorCallParts, VisitorDialect } from '../sites/visitor-session.ts';
import { shownToPages } from './zoom-options.ts';
import { activeSpeakers, levelOf, rosterAdded, rosterRemoved, sharedBy } from './signalling.ts';

const LOOK_EVERY_MS = 200;
/** Stands for a shared screen among the people's indexes. */
const SCREEN = 255;

/** A visit of Zoom: media comes over the page's own socket and is decoded by the page; frames say who is who. */
export const zoomDialect: VisitorDialect = {
  showsScreens: true,
  welcome: ({ options: { zoom, chat } }) => ({ zoom: shownToPages(zoom), chat }),
  openCall: async (parts) => openZoomCall(parts),
};

function openZoomCall(parts: VisitorCallParts): VisitorCall {
  const { hosted, received, onState, onPicturePackets, sendText, sendBinary } = parts;
  const { room } = hosted;
  const voices = tellVoices(parts);
  const sendPicture = (personIndex: number, { codec, key, bytes }: PictureFrame, tick: number): void => {
    // The page knows no other.
    if (codec !== 'vp8') return;
    sendBinary(mediaMessage({ kind: 'picture', personIndex, key, tick }, bytes));
    onPicturePackets(1);
  };
  const sink: MediaSink = {
    sendSound: (_slot, personIndex, packet, tick) => {
      voices.hear(personIndex, packet.levelDbov);
      sendBinary(mediaMessage({ kind: 'sound', personIndex, key: packet.startsSpurt, tick }, packet.payload));
    },
    sendFrame: (personIndex, frame, tick) => sendPicture(personIndex, frame, tick),
    sendScreenFrame: (frame, tick) => sendPicture(SCREEN, frame, tick),
  };
  sendText(rosterAdded(room.membersInCall()));
  const tellSharer = (screen: Member | null): void => {
    const sharer = room.people().find(({ member }) => member.deviceId === screen?.parentDeviceId);
    sendText(sharedBy(sharer?.member ?? null));
  };
  if (room.screenShared) tellSharer(room.screen);
  // The page's socket carries the media, so it is connected already.
  onState('connected');
  return {
    offerSdp: null,
    sink,
    accept: async () => undefined,
    memberChanged: (member, status) => {
      if (member.parentDeviceId !== undefined) tellSharer(status === 'inCall' ? member : null);
      else sendText(status === 'inCall' ? rosterAdded([member]) : rosterRemoved(member));
    },
    chat: () => undefined,
    takeMedia: (content) => {
      const message = readMediaMessage(content);
      if (message?.kind === 'sound') received.sound(message.payload, message.tick);
      if (message?.kind === 'picture') received.picture(message.payload, true);
    },
    close: async () => {
      voices.stop();
      onState('closed');
    },
  };
}

function tellVoices({ hosted, now, sendText }: VisitorCallParts) {
  const { zoom } = hosted.options;
  const people = hosted.room.people().map(({ member }) => member);
  const voices = new Voices();
  const levels = new Map<number, number>();
  let told = '';
  const timer = setInterval(() => {
    const speaking = voices.speaking(now()).flatMap((index) => people[index] ?? []);
    if (zoom.levels) {
      for (const member of speaking) sendText(levelOf(member, levels.get(member.personIndex ?? -1) ?? 127));
    }
    const frame = activeSpeakers(speaking);
    if (zoom.activeSpeakers && frame !== told) sendText(frame);
    told = frame;
  }, LOOK_EVERY_MS);
  return {
    hear: (personIndex: number, levelDbov: number) => {
      levels.set(personIndex, levelDbov);
      voices.hear(personIndex, levelDbov, now());
    },
    stop: () => clearInterval(timer),
  };
}
