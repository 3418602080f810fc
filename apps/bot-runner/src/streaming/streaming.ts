import type { StreamingConfiguration } from '@rapporteur/contracts';
import type { MeetingSession } from '@rapporteur/meeting-platforms';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { RecorderAudioTap } from '@rapporteur/recorder';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';
import type { AttendanceListener } from '../attendance/attendance-listener.ts';
import { AudioIn } from './audio-in.ts';
import { AudioOut } from './audio-out.ts';
import { Complaints } from './complaints.ts';
import { SpeakerFrames } from './speaker-frames.ts';
import { StreamLine } from './stream-line.ts';
import type { StreamLineUser } from './stream-line.ts';

export interface StreamingPorts {
  readonly botId: string;
  readonly outbound: Pick<OutboundHttp, 'connectSocket' | 'close'>;
  readonly session: Pick<MeetingSession, 'playAudio' | 'clearAudio' | 'audioHeard' | 'speaking' | 'onSignal'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What streams audio out of a meeting and into it. */
export interface Streaming extends AttendanceListener {
  /** For the recorder; null when no audio goes out. */
  readonly audioTap: RecorderAudioTap | null;
}

/** With `sample_rate` in the greeting, and times in seconds. */
const protocolVersion = 2;

interface Lines {
  /** By the setting that names the address. */
  readonly all: readonly (readonly [field: string, line: StreamLine])[];
  readonly output: StreamLine | null;
  readonly input: StreamLine | null;
}

export function createStreaming(configuration: StreamingConfiguration, ports: StreamingPorts): Streaming {
  const { session, clock, logger, outbound } = ports;
  const { audio_frequency: rateHz, output_url } = configuration;
  const complaints = new Complaints(clock, logger);
  const audioOut: AudioOut = new AudioOut({
    send: (message) => lines.output?.send(message) ?? false,
    isConnected: () => lines.output?.isOpen ?? false,
    speakers: new SpeakerFrames(() => session.speaking()),
    complaints,
  });
  const reply = (text: string): void => void lines.input?.send(text);
  const audioIn: AudioIn = new AudioIn({ session, rateHz, reply, complaints, clock });
  const greeting = (): string =>
    JSON.stringify({
      protocol_version: protocolVersion,
      bot_id: ports.botId,
      offset: audioOut.offsetSeconds,
      sample_rate: rateHz,
    });
  const lines: Lines = layLines(configuration, ports, {
    output: { greeting, connected: () => audioOut.reportSpeaker() },
    input: { greeting, take: (message) => audioIn.take(message) },
  });
  const stopListening = session.onSignal((signal) => audioOut.hear(signal));
  return {
    audioTap: output_url === null ? null : { rateHz, onAudio: (pcm) => audioOut.audio(pcm) },
    ready: async (signal) => {
      const failures = await Promise.all(
        lines.all.map(async ([field, line]) => [field, await line.open(signal)] as const),
      );
      const failed = failures.find(([, why]) => why !== null);
      return failed === undefined ? null : { code: 'STREAMING_SETUP_FAILED', message: setupWords(...failed) };
    },
    joined: () => audioIn.listen(),
    recordingStarted: () => audioOut.goOn(),
    recordingPaused: () => audioOut.hold(),
    recordingResumed: () => audioOut.goOn(),
    over: async () => {
      stopListening();
      audioOut.hold();
      audioIn.stop();
      await Promise.all(lines.all.map(([, line]) => line.close()));
      outbound.close();
    },
  };
}

/** One line per address: the same one in both settings is a single line that goes both ways. */
function layLines(
  { output_url, input_url }: StreamingConfiguration,
  { outbound, clock, logger }: StreamingPorts,
  users: { readonly output: StreamLineUser; readonly input: StreamLineUser },
): Lines {
  const ports = { connect: outbound.connectSocket, clock, logger };
  const lay = (url: string, field: string, user: StreamLineUser): [string, StreamLine] => [
    field,
    new StreamLine(url, field, ports, user),
  ];
  if (output_url !== null && output_url === input_url) {
    const both = lay(output_url, 'output_url', { ...users.input, ...users.output });
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
  return `The bot did not join, because streaming_config.${field} could not be reached: ${why ?? ''} Check that the address is right and that a WebSocket server answers there.`;
}
