import { doneWithin } from '@rapporteur/async';
import type { LiveTranscription, StreamingConfiguration } from '@rapporteur/contracts';
import type { MeetingSession } from '@rapporteur/meeting-platforms';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { RecorderAudioTap } from '@rapporteur/recorder';
import type { AttendanceListener } from '../attendance/attendance-listener.ts';
import { AudioIn } from './audio-in.ts';
import { AudioOut } from './audio-out.ts';
import type { OutgoingStream } from './audio-out.ts';
import { RepeatedWarnings } from './repeated-warnings.ts';
import { SpeakerFrames } from './speaker-frames.ts';
import { StreamLine } from './stream-line.ts';
import type { StreamLineUser } from './stream-line.ts';
import type { OpenLiveSession } from './transcript/live-transcriber.ts';
import { TranscriptOut } from './transcript/transcript-out.ts';
import type { RunContext } from '../run-context.ts';

export interface StreamingPorts extends Pick<RunContext, 'clock' | 'logger'> {
  readonly botId: string;
  readonly outbound: Pick<OutboundHttp, 'connectSocket' | 'close'>;
  readonly session: Pick<MeetingSession, 'playAudio' | 'clearAudio' | 'finishedAudioMs' | 'speaking' | 'onSignal'>;
  /** With mode `transcription`; null otherwise. */
  readonly transcription: { readonly settings: LiveTranscription; readonly openSession: OpenLiveSession } | null;
}

/** Streams audio out of a meeting and into it. */
export interface Streaming extends AttendanceListener {
  /** For the recorder; null when no audio is sent. */
  readonly audioTap: RecorderAudioTap | null;
}

/** With `sample_rate` in the handshake, and times in seconds. */
const protocolVersion = 2;
/** How long the end of the attendance waits for the streams. */
const closeMs = 1_000;

interface Lines {
  /** The lines by the setting that names the address. */
  readonly all: readonly (readonly [field: string, line: StreamLine])[];
  readonly output: StreamLine | null;
  readonly input: StreamLine | null;
}

export function createStreaming(configuration: StreamingConfiguration, ports: StreamingPorts): Streaming {
  const { session, clock, logger, outbound } = ports;
  const { audio_frequency: rateHz, output_url } = configuration;
  const warnings = new RepeatedWarnings(clock, logger);
  const outgoing: OutgoingStream = openOutgoing(ports, {
    rateHz,
    warnings,
    line: () => lines.output,
  });
  const reply = (text: string): void => void lines.input?.send(text);
  const audioIn: AudioIn = new AudioIn({ session, rateHz, reply, warnings, clock });
  const handshake = () => ({
    protocol_version: protocolVersion,
    bot_id: ports.botId,
    offset: outgoing.offsetSeconds,
    sample_rate: rateHz,
  });
  const lines: Lines = layLines(configuration, ports, {
    output: {
      handshake: () => JSON.stringify({ ...handshake(), ...outgoing.handshake() }),
      connected: () => outgoing.connected(),
      lost: () => outgoing.lost(),
      take: (message) => void outgoing.take(message),
    },
    input: { handshake: () => JSON.stringify(handshake()), take: (message) => audioIn.take(message) },
    takesOutput: (message) => outgoing.take(message),
  });
  const stopListening = session.onSignal((signal) => outgoing.onSignal(signal));
  const close = async (): Promise<void> => {
    await outgoing.finish();
    await Promise.all(lines.all.map(([, line]) => line.close()));
    outbound.close();
  };
  return {
    audioTap:
      output_url === null ? null : { rateHz: outgoing.rateHz, onAudio: (pcm, startMs) => outgoing.audio(pcm, startMs) },
    ready: async (signal) => {
      const failures = await Promise.all(
        lines.all.map(async ([field, line]) => [field, await line.open(signal)] as const),
      );
      const failed = failures.find(([, why]) => why !== null);
      return failed === undefined ? null : { code: 'STREAMING_SETUP_FAILED', message: setupWords(...failed) };
    },
    joined: () => audioIn.listen(),
    recordingStarted: () => outgoing.resume(),
    recordingPaused: () => outgoing.hold(),
    recordingResumed: () => outgoing.resume(),
    over: async () => {
      stopListening();
      outgoing.hold();
      audioIn.stop();
      // The last words of a transcript may take longer than the attendance waits; they are sent while the files are
      // made.
      await doneWithin(close(), closeMs, clock);
    },
  };
}

interface OutgoingFacts {
  readonly rateHz: number;
  readonly warnings: RepeatedWarnings;
  readonly line: () => StreamLine | null;
}

function openOutgoing(ports: StreamingPorts, { rateHz, warnings, line }: OutgoingFacts): OutgoingStream {
  const { session, transcription, clock, logger, botId } = ports;
  const speakers = new SpeakerFrames(() => session.speaking());
  const send: StreamLine['send'] = (message) => line()?.send(message) ?? false;
  if (transcription === null) {
    return new AudioOut({ rateHz, send, isConnected: () => line()?.isOpen ?? false, speakers, warnings });
  }
  const { settings, openSession } = transcription;
  const waitingBytes = (): number => line()?.waitingBytes ?? 0;
  const more = { transcription: settings, openSession, send, waitingBytes };
  return new TranscriptOut({ botId, speakers, warnings, clock, logger, ...more });
}

/** One line per address: the same address in both settings is one line in both directions. */
function layLines(
  { output_url, input_url }: StreamingConfiguration,
  { outbound, clock, logger }: StreamingPorts,
  users: {
    readonly output: StreamLineUser;
    readonly input: StreamLineUser;
    readonly takesOutput: OutgoingStream['take'];
  },
): Lines {
  const ports = { connect: outbound.connectSocket, clock, logger };
  const lay = (url: string, field: string, user: StreamLineUser): [string, StreamLine] => [
    field,
    new StreamLine(url, field, ports, user),
  ];
  if (output_url !== null && output_url === input_url) {
    const take: StreamLineUser['take'] = (message) => {
      if (users.takesOutput(message)) return;
      users.input.take?.(message);
    };
    const both = lay(output_url, 'output_url', { ...users.output, take });
    return { all: [both], output: both[1], input: both[1] };
  }
  const output = output_url === null ? null : lay(output_url, 'output_url', users.output);
  const input = input_url === null ? null : lay(input_url, 'input_url', users.input);
  return {
    all: [output, input].filter((line) => line !== null),
    output: output?.[1] ?? null,
    input: input?.[1] ?? null,
  };
}

function setupWords(field: string, why: string | null): string {
  return `The bot did not join, because streaming_config.${field} could not be reached: ${why ?? ''} Check that the address is right and that a WebSocket server listens there.`;
}
