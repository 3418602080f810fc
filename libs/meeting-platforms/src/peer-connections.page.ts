export interface ConnectionWatcher {
  track(receiver: RTCRtpReceiver, streamIds: string[]): void;
  /** A data channel, whichever side opened it. */
  channel(channel: RTCDataChannel): void;
}

const steadyDelayMs = 250;

/** Calls `made` with every peer connection that the page makes from now on, before the page has it. */
export function eachPeerConnection(made: (connection: RTCPeerConnection) => void): void {
  const page = globalThis as {
    RTCPeerConnection?: typeof RTCPeerConnection;
    webkitRTCPeerConnection?: typeof RTCPeerConnection;
  };
  const native = page.RTCPeerConnection;
  if (native === undefined) return;
  const watched = new Proxy(native, {
    construct(original, parameters, newTarget): RTCPeerConnection {
      const connection = Reflect.construct(original, parameters, newTarget) as RTCPeerConnection;
      made(connection);
      return connection;
    },
  });
  page.RTCPeerConnection = watched;
  if (page.webkitRTCPeerConnection !== undefined) page.webkitRTCPeerConnection = watched;
}

/** Lets the watcher see every remote track and channel of every peer connection the page makes from now on. */
export function watchPeerConnections(watcher: ConnectionWatcher): void {
  eachPeerConnection((connection) => {
    connection.addEventListener('track', (event) => {
      // Audio and video arrive as separate streams without synchronization: with one long target for both, a busy
      // machine delays neither more than the other.
      event.receiver.jitterBufferTarget = steadyDelayMs;
      watcher.track(
        event.receiver,
        event.streams.map((stream) => stream.id),
      );
    });
    connection.addEventListener('datachannel', (event) => watcher.channel(event.channel));
    const open = connection.createDataChannel.bind(connection);
    connection.createDataChannel = (...given) => {
      const channel = open(...given);
      watcher.channel(channel);
      return channel;
    };
  });
}
