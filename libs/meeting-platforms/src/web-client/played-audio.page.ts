// Some clients decode the meeting's audio themselves and play it: through WebAudio, or through media elements. Played
// audio is offered as tracks too; playback is unaffected.

const mostElements = 50;

/** What the page plays, as tracks. `changed` is called when there may be more or fewer of them. */
export function watchPlayedAudio(changed: () => void): () => MediaStreamTrack[] {
  const outlets = new Map<BaseAudioContext, MediaStreamAudioDestinationNode>();
  const elements = new Set<HTMLMediaElement>();
  /** The audio of these elements is captured in WebAudio. */
  const routed = new WeakSet<HTMLMediaElement>();
  const captured = new WeakMap<HTMLMediaElement, MediaStream>();

  const outletOf = (context: AudioContext): MediaStreamAudioDestinationNode => {
    const known = outlets.get(context);
    if (known !== undefined) return known;
    const outlet = context.createMediaStreamDestination();
    outlets.set(context, outlet);
    context.addEventListener('statechange', () => {
      if (context.state !== 'closed') return;
      for (const track of outlet.stream.getTracks()) track.stop();
      outlets.delete(context);
      changed();
    });
    changed();
    return outlet;
  };
  watchConnections(outletOf);

  const contexts = AudioContext.prototype;
  const createSource = contexts.createMediaElementSource;
  contexts.createMediaElementSource = function (element) {
    routed.add(element);
    return createSource.call(this, element);
  };

  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () {
    if (elements.size < mostElements) elements.add(this);
    // Asynchronously: a listener may itself play, muted, what is offered here.
    if (!this.muted) queueMicrotask(changed);
    return play.call(this);
  };

  const tracksOf = (element: HTMLMediaElement): MediaStreamTrack[] => {
    if (element.muted || element.paused || element.volume === 0 || routed.has(element)) return [];
    if (element.srcObject instanceof MediaStream) return element.srcObject.getAudioTracks();
    const capturable = element as HTMLMediaElement & { captureStream?: () => MediaStream };
    const stream = captured.get(element) ?? capturable.captureStream?.();
    if (stream === undefined) return [];
    captured.set(element, stream);
    return stream.getAudioTracks();
  };

  return () => {
    for (const element of document.querySelectorAll<HTMLMediaElement>('audio,video')) {
      if (elements.size < mostElements) elements.add(element);
    }
    for (const element of elements) if (element.paused && !element.isConnected) elements.delete(element);
    const played = [...elements].flatMap(tracksOf);
    return [...new Set([...[...outlets.values()].flatMap(({ stream }) => stream.getAudioTracks()), ...played])];
  };
}

/** A node connected to the destination is connected to the outlet too, and disconnected with it. */
function watchConnections(outletOf: (context: AudioContext) => MediaStreamAudioDestinationNode): void {
  const nodes = AudioNode.prototype as unknown as Record<'connect' | 'disconnect', (...given: unknown[]) => unknown>;
  const outletFor = (node: unknown, target: unknown): MediaStreamAudioDestinationNode | null => {
    if (!(target instanceof AudioDestinationNode) || !(node instanceof AudioNode)) return null;
    return node.context instanceof AudioContext ? outletOf(node.context) : null;
  };
  for (const method of ['connect', 'disconnect'] as const) {
    const native = nodes[method];
    nodes[method] = function (this: unknown, ...given: unknown[]): unknown {
      const result = native.apply(this, given);
      try {
        const outlet = outletFor(this, given[0]);
        if (outlet !== null) native.apply(this, [outlet, ...given.slice(1)]);
      } catch {
        // The page's audio is unaffected; only the recording may miss it.
      }
      return result;
    };
  }
}
