// Runs in every frame of a meeting's page before its own scripts: every connection of the page offers and answers that
// it receives no videos. Lines keep their places, only their direction changes; sent media are unaffected.
import { postThrough } from '../page-post.page.ts';
import { eachPeerConnection } from '../peer-connections.page.ts';

export interface RefusedVideoOptions {
  /** Name of the binding that carries posts out of the page. */
  readonly postName: string;
}

/** Sent at each change, once a connection receives no videos. */
export interface RefusalPost {
  /** How many lines were closed, over all connections. */
  readonly lines: number;
  /** A connection that refuses videos is connected, or the page has closed all of them. */
  readonly up: boolean;
}

const withoutReceiving: Readonly<Partial<Record<RTCRtpTransceiverDirection, RTCRtpTransceiverDirection>>> = {
  sendrecv: 'sendonly',
  recvonly: 'inactive',
};

export function install({ postName }: RefusedVideoOptions): void {
  /** Number of closed lines of each connection, until it is closed itself. */
  const refusing = new Map<RTCPeerConnection, number>();
  let wasUp = false;
  let reported = '';
  const send = postThrough<RefusalPost>(postName);
  const notify = (): void => {
    const connections = [...refusing.keys()];
    wasUp ||= connections.some(({ connectionState }) => connectionState === 'connected');
    if (connections.length === 0 && reported === '') return;
    const lines = [...refusing.values()].reduce((sum, count) => sum + count, 0);
    const post: RefusalPost = { lines, up: wasUp || connections.length === 0 };
    const text = JSON.stringify(post);
    if (reported !== text && send(post)) reported = text;
  };
  eachPeerConnection((connection) => {
    refuseIn(connection, (lines) => {
      refusing.set(connection, lines);
      notify();
    });
    connection.addEventListener('connectionstatechange', notify);
    const close = connection.close.bind(connection);
    connection.close = () => {
      close();
      refusing.delete(connection);
      notify();
    };
  });
}

/** Right before each description is created, so that the page and the remote side get the same one. */
function refuseIn(connection: RTCPeerConnection, described: (lines: number) => void): void {
  type Describe = (...given: unknown[]) => Promise<unknown>;
  const methods = connection as unknown as Record<'createOffer' | 'createAnswer' | 'setLocalDescription', Describe>;
  for (const name of ['createOffer', 'createAnswer', 'setLocalDescription'] as const) {
    const native = methods[name].bind(connection);
    methods[name] = async (...given) => {
      const lines = closeVideos(connection);
      const changed =
        name === 'createOffer' ? given.map((options) => withoutReceivedVideo(connection, options)) : given;
      const made = await native(...changed);
      if (name === 'setLocalDescription' && lines > 0) described(lines);
      return made;
    };
  }
}

/** @returns how many lines receive no videos now */
function closeVideos(connection: RTCPeerConnection): number {
  let closed = 0;
  for (const transceiver of connection.getTransceivers()) {
    if (transceiver.receiver.track.kind !== 'video' || transceiver.direction === 'stopped') continue;
    transceiver.direction = withoutReceiving[transceiver.direction] ?? transceiver.direction;
    closed += 1;
  }
  return closed;
}

/** The legacy option to receive videos creates the line only with the offer: it is created here instead. */
function withoutReceivedVideo(connection: RTCPeerConnection, options: unknown): unknown {
  if (typeof options !== 'object' || options === null || !('offerToReceiveVideo' in options)) return options;
  const { offerToReceiveVideo, ...rest } = options as RTCOfferOptions;
  const has = connection.getTransceivers().some(({ receiver }) => receiver.track.kind === 'video');
  if (offerToReceiveVideo === true && !has) connection.addTransceiver('video', { direction: 'inactive' });
  return rest;
}
