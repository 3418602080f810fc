import { CaptionFeed } from '../captions/caption-feed.ts';
import { shownToPages } from '../captions/caption-options.ts';
import type { MediaSink } from '../media/broadcast.ts';
import { openMediaConnection } from '../media/media-connection.ts';
import { SpeechActivity } from '../media/speech-activity.ts';
import type { Member } from '../rooms/members.ts';
import type { ClientCall, ClientCallDependencies, ClientDialect } from '../sites/client-session.ts';
import {
  captionResult,
  channelMessage,
  conversationEndFrame,
  conversationEnds,
  mriOf,
  rosterFrame,
  rosterOf,
} from './roster-frames.ts';

const POLL_INTERVAL_MS = 100;

/**
 * A session of Teams: one mixed audio track and its redundant copy, roster frames, a channel with the dominant speaker.
 */
export const teamsDialect: ClientDialect = {
  welcome: ({ options: { captions } }) => ({ captions: shownToPages(captions) }),
  openCall: openTeamsCall,
  turnedAway: (how, { options: { teams } }) => {
    if (how !== 'refused' || teams.ending === 'page') return null;
    const end = teams.signInWall === 'signalling' ? 'anonymousJoinDisabled' : 'refused';
    return conversationEndFrame(conversationEnds[end], 'lobby');
  },
};

async function openTeamsCall(dependencies: ClientCallDependencies): Promise<ClientCall> {
  const { hosted, attendee, now, loopbackOnly, received, onState, onVideoPackets, send, sendText } = dependencies;
  const { room, options } = hosted;
  const participants = room.participants().map(({ member }) => member);
  const callId = attendee.id;
  const speechActivity = new SpeechActivity();
  const dominance = new Dominance(speechActivity);
  const connection = await openMediaConnection({
    // The second track repeats the first: a bot that takes both has the audio twice.
    audioStreamIds: ['mainAudio', 'redundantAudio'],
    videoStreamIds: participants.map((_, index) => `mainVideo-${index + 1}`),
    channelLabel: 'main-channel',
    clockZero: room.clockZero,
    framesPerSecond: options.framesPerSecond,
    now,
    loopbackOnly,
    received,
    onState,
    onVideoPackets,
    onChannelOpen: () => dominance.reportAgain(),
  });
  let reportedSpeaking = '';
  const timer = setInterval(() => {
    const history = dominance.news(now());
    if (history !== null && options.teams.dominantSpeaker) {
      const ids = history.map((index) => Number(participants[index]?.audioStreamId));
      connection.sendOnChannel(channelMessage({ type: 'dsh', history: ids }));
    }
    const deviceIds = speechActivity.speaking(now()).map((index) => participants[index]?.deviceId ?? '');
    const speaking = deviceIds.toSorted().join();
    if (speaking !== reportedSpeaking) send({ kind: 'speaking', deviceIds });
    reportedSpeaking = speaking;
  }, POLL_INTERVAL_MS);
  const captions = openCaptions(dependencies, (message) => connection.sendOnChannel(message));
  const introduce = (member: Member): void => send({ kind: 'identity', deviceId: member.deviceId, mri: mriOf(member) });
  room.membersInCall().forEach(introduce);
  // A late joiner receives changes only; earlier members come from the snapshot.
  sendText(rosterFrame(rosterOf([attendee]), callId));
  return {
    offerSdp: connection.offerSdp,
    sink: sinkOf(dependencies, { participants, speechActivity, connection }),
    accept: (sdp) => connection.accept(sdp),
    memberChanged: (member, status) => {
      introduce(member);
      // An account stays while another device of it is in the call.
      const devices = room.membersInCall().filter((other) => mriOf(other) === mriOf(member));
      sendText(rosterFrame(devices.length > 0 ? rosterOf(devices) : rosterOf([member], status === 'inCall'), callId));
    },
    chat: () => undefined,
    ended: (how) => {
      if (options.teams.ending !== 'page') sendText(conversationEndFrame(conversationEnds[how], callId));
    },
    captions: (on) => captions.set(on),
    close: async () => {
      captions.stop();
      clearInterval(timer);
      await connection.close();
    },
  };
}

/** On the channel, and to the page that shows them. */
function openCaptions(
  { hosted, now, send }: ClientCallDependencies,
  sendOnChannel: (message: Buffer) => void,
): CaptionFeed {
  const { room } = hosted;
  return new CaptionFeed(hosted, now, (version) => {
    const member = room.participants()[version.participantIndex]?.member;
    if (member === undefined) return;
    sendOnChannel(channelMessage({ recognitionResults: [captionResult(member, version, room.clockZero)] }));
    send({ kind: 'caption', name: member.name, captionId: version.captionId, text: version.text });
  });
}

type Sending = {
  participants: readonly Member[];
  speechActivity: SpeechActivity;
  connection: Awaited<ReturnType<typeof openMediaConnection>>;
};

function sinkOf(
  { hosted, now }: ClientCallDependencies,
  { participants, speechActivity, connection }: Sending,
): MediaSink {
  const { contributingSources } = hosted.options.teams;
  return {
    sendAudio: (_slot, participantIndex, packet) => speechActivity.add(participantIndex, packet.levelDbov, now()),
    sendMixedAudio: (packet, packetTick) => {
      const [loudest] = speechActivity.speaking(now());
      const source = contributingSources && loudest !== undefined ? participants[loudest] : undefined;
      const sourceId = source === undefined ? undefined : Number(source.audioStreamId);
      for (const track of [0, 1]) connection.sendAudio(track, packet, packetTick, sourceId);
    },
    sendFrame: (participantIndex, frame, frameTick) => connection.sendVideo(participantIndex, frame, frameTick),
    onKeyFrameWanted: (wanted) => connection.onKeyFrameWanted(wanted),
  };
}

/** Tracks the recent dominant speakers, newest first. */
class Dominance {
  readonly #speechActivity: SpeechActivity;
  #history: number[] = [];
  #again = false;

  constructor(speechActivity: SpeechActivity) {
    this.#speechActivity = speechActivity;
  }

  /** A listener from now on has not received the current state. */
  reportAgain(): void {
    this.#again = true;
  }

  news(nowMs: number): readonly number[] | null {
    const dominant = this.#speechActivity.dominant(nowMs);
    const changed = dominant !== null && dominant !== this.#history[0];
    if (changed) this.#history = [dominant, ...this.#history.filter((index) => index !== dominant)].slice(0, 3);
    if (!changed && !this.#again) return null;
    this.#again = false;
    return this.#history.length > 0 ? this.#history : null;
  }
}
