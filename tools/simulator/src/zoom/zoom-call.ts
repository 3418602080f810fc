import { CaptionFeed } from '../captions/caption-feed.ts';
import { shownToPages as captionsShownToPages } from '../captions/caption-options.ts';
import type { MediaSink } from '../media/broadcast.ts';
import { mediaMessage, readMediaMessage } from '../media/media-message.ts';
import type { LoopFrame } from '../media/video-loop.ts';
import { SpeechActivity } from '../media/speech-activity.ts';
import type { Member } from '../rooms/members.ts';
import type { ClientCall, ClientCallDependencies, ClientDialect } from '../sites/client-session.ts';
import { shownToPages } from './zoom-options.ts';
import {
  activeSpeakers,
  joined,
  levelOf,
  rosterAdded,
  rosterRemoved,
  rosterRenamed,
  sharedBy,
  userIdOf,
} from './signalling.ts';

const POLL_INTERVAL_MS = 200;
/** The index of a shared screen among the participants' indexes. */
const SCREEN = 255;

/**
 * A session of Zoom: media comes over the page's own socket and is decoded by the page; frames identify the
 * participants.
 */
export const zoomDialect: ClientDialect = {
  showsScreens: true,
  welcome: ({ options: { zoom, chat, captions } }) => ({
    zoom: shownToPages(zoom),
    chat,
    captions: captionsShownToPages(captions),
  }),
  openCall: async (dependencies) => openZoomCall(dependencies),
};

function openZoomCall(dependencies: ClientCallDependencies): ClientCall {
  const { hosted, received, onState, onVideoPackets, sendText, sendBinary } = dependencies;
  const { room } = hosted;
  const speechActivity = reportSpeech(dependencies);
  /** Stopped by the page's own control. */
  let videoWanted = true;
  const waiting = new Set<number>();
  const sendVideo = (participantIndex: number, { codec, key, bytes }: LoopFrame, tick: number): void => {
    // The page supports no other codec.
    if (codec !== 'vp8' || !videoWanted || (waiting.has(participantIndex) && !key)) return;
    waiting.delete(participantIndex);
    sendBinary(mediaMessage({ kind: 'video', participantIndex, key, tick }, bytes));
    onVideoPackets(1);
  };
  const sink: MediaSink = {
    sendAudio: (_slot, participantIndex, packet, tick) => {
      speechActivity.receiveAudio(participantIndex, packet.levelDbov);
      sendBinary(mediaMessage({ kind: 'audio', participantIndex, key: packet.startsSpurt, tick }, packet.payload));
    },
    sendFrame: (participantIndex, frame, tick) => sendVideo(participantIndex, frame, tick),
    sendScreenFrame: (frame, tick) => sendVideo(SCREEN, frame, tick),
  };
  const captions = new CaptionFeed(hosted, dependencies.now, ({ participantIndex, captionId, text, final: done }) => {
    const member = room.participants()[participantIndex]?.member;
    if (member === undefined) return;
    const user = { userId: userIdOf(member), displayName: member.name };
    dependencies.send({ kind: 'caption', message: { msgId: String(captionId), text, done, user, language: 0 } });
  });
  sendText(joined(dependencies.attendee));
  sendText(rosterAdded(room.membersInCall()));
  const notifySharer = (screen: Member | null): void => {
    const sharer = room.participants().find(({ member }) => member.deviceId === screen?.parentDeviceId);
    sendText(sharedBy(sharer?.member ?? null));
  };
  if (room.screenShared) notifySharer(room.screen);
  // The page's socket carries the media, so it is connected already.
  onState('connected');
  return {
    offerSdp: null,
    sink,
    accept: async () => undefined,
    memberChanged: (member, status) => {
      if (member.parentDeviceId !== undefined) notifySharer(status === 'inCall' ? member : null);
      else sendText(status === 'inCall' ? rosterAdded([member]) : rosterRemoved(member));
    },
    renamed: (member) => sendText(rosterRenamed(member)),
    chat: () => undefined,
    receiveVideo: (wanted) => {
      videoWanted = wanted;
      // A page that receives again begins with key frames.
      for (const index of [...room.participants().keys(), SCREEN]) waiting.add(index);
    },
    takeMedia: (content) => {
      const message = readMediaMessage(content);
      if (message?.kind === 'audio') received.audio(message.payload, message.tick);
      if (message?.kind === 'video') received.video(message.payload, true);
    },
    captions: (on) => captions.set(on),
    close: async () => {
      captions.stop();
      speechActivity.stop();
      onState('closed');
    },
  };
}

function reportSpeech({ hosted, now, sendText }: ClientCallDependencies) {
  const { zoom } = hosted.options;
  const participants = hosted.room.participants().map(({ member }) => member);
  const speechActivity = new SpeechActivity();
  const levels = new Map<number, number>();
  let reported = '';
  const timer = setInterval(() => {
    const speaking = speechActivity.speaking(now()).flatMap((index) => participants[index] ?? []);
    if (zoom.levels) {
      for (const member of speaking) sendText(levelOf(member, levels.get(member.participantIndex ?? -1) ?? 127));
    }
    const frame = activeSpeakers(speaking);
    if (zoom.activeSpeakers && frame !== reported) sendText(frame);
    reported = frame;
  }, POLL_INTERVAL_MS);
  return {
    receiveAudio: (participantIndex: number, levelDbov: number) => {
      levels.set(participantIndex, levelDbov);
      speechActivity.add(participantIndex, levelDbov, now());
    },
    stop: () => clearInterval(timer),
  };
}
