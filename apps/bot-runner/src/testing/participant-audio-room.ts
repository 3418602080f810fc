import type { BotInvocation, MeetingPlatformName } from '@rapporteur/contracts';
import { decodeAudio, matchSpeech } from './match-speech.ts';
import type { SpeechMatch } from './match-speech.ts';
import type { RunningBot } from './run-bot.ts';
import type { SimulatedMeeting } from './simulated-meetings.ts';
import { configurationFor, meetingOf, recordingStartedAtMs } from './suite-meetings.ts';

export const names = ['Alice Martin', 'Bruno Keller', 'Callum Reid', 'Daniel Novak'];
/** Long enough for every participant to speak. */
const loopSeconds = 30;
/** Options of a room with these participants. */
export const room = { speakers: names.length, loopSeconds } as const;
/** Receivers buffer audio for this long against jitter, and it is played a moment later. */
export const audioDelayMs = 250;

/** A bot that records the audio only. */
export async function sendAudioBot(
  meeting: SimulatedMeeting,
  platform: MeetingPlatformName,
  invocation: Partial<BotInvocation> = {},
): Promise<RunningBot> {
  return await meeting.sendBot({
    configuration: configurationFor(meeting, { recording_mode: 'audio_only' }),
    meeting: meetingOf(meeting, platform),
    ...invocation,
  });
}

/** The stored files with the audio of one participant each. */
export const participantFiles = ({ scheduler }: SimulatedMeeting) =>
  (scheduler.find('recording-stored')?.artifacts ?? []).filter(({ kind }) => kind === 'participant_audio');

/** The speech in each participant's file, compared with the room's schedule. */
export async function matchParticipantFiles(
  meeting: SimulatedMeeting,
  folder: string,
): Promise<(SpeechMatch & { readonly name: string })[]> {
  const mix = await decodeAudio(meeting.storage.objects.get('artifacts/audio.flac')!, folder);
  return await Promise.all(
    participantFiles(meeting).map(async ({ key, participant }) => {
      const name = participant?.name ?? '';
      const samples = await decodeAudio(meeting.storage.objects.get(key)!, folder);
      const found = matchSpeech(samples, {
        room: meeting.room,
        name,
        startedAtMs: recordingStartedAtMs(meeting),
        loopMs: loopSeconds * 1_000,
        delayMs: audioDelayMs,
        nearMs: 150,
        mix,
      });
      return { name, ...found };
    }),
  );
}
