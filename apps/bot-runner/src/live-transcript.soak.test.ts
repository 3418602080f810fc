import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { runLiveCampaign } from './testing/live-campaign.ts';
import { testInvocation } from './testing/run-bot.ts';
import { startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { SimulatedMeetings } from './testing/simulated-meetings.ts';
import { startTranscriptReceiver } from '@rapporteur/testbed/transcript-receiver';
import type { TranscriptReceiver } from '@rapporteur/testbed/transcript-receiver';

// Sixty minutes of replayed audio for each provider, at ten times the speed of a meeting, and a whole bot in a meeting,
// which `npm test` has end to end (tools/e2e/src/transcripts.e2e.ts).

const room = { speakers: 3, loopSeconds: 30 } as const;
const apiKey = 'canary-key';

let meetings: SimulatedMeetings;
let receiver: TranscriptReceiver;
beforeAll(async () => {
  meetings = await startSimulatedMeetings();
  receiver = await startTranscriptReceiver();
}, 120_000);
afterAll(async () => {
  await receiver.stop();
  await meetings.stop();
});

interface Said {
  readonly name: string;
  readonly words: readonly { readonly word: string; readonly startMs: number }[];
}

describe('a bot that transcribes live', () => {
  test('sends speech with speaker and time, and never exposes the provider key', async () => {
    const meeting = await meetings.open(room);
    const address = `${meetings.controlUrl.replace(/^http/, 'ws')}/speech/deepgram`;
    const engine = { provider: 'deepgram', region: 'eu', address, apiKey, customParams: {} };
    const botId = crypto.randomUUID();
    const { configuration } = testInvocation({
      ...meeting,
      busUrl: '',
      joinUrl: meeting.room.realUrl,
      simulator: null,
    });
    const bot = await meeting.sendBot({
      botId,
      configuration: {
        ...configuration,
        recording_mode: 'audio_only',
        streaming_config: {
          mode: 'transcription',
          output_url: receiver.url,
          input_url: null,
          audio_frequency: 24_000,
        },
      },
      liveTranscription: { engines: [engine], extra: { customer: 'c-1' } },
    });
    const finals = () =>
      receiver.messages.filter(({ event, data }) => event === 'transcript.segment' && data.is_final === true);
    const wordsOf = () => finals().flatMap(({ data }) => data.words ?? []);
    await waitFor(() => wordsOf().length >= 40, { what: '40 words' });
    meeting.scheduler.lease.leaveRequested = true;
    expect(await bot.exited).toBe(0);

    expect(receiver.handshakes[0]).toMatchObject({ bot_id: botId, mode: 'transcription', next_sequence: 1 });
    expect(receiver.messages[0]).toMatchObject({
      event: 'session.started',
      extra: { customer: 'c-1' },
      data: { sequence: 1, provider: 'deepgram', sample_rate: 16_000 },
    });
    const said = meeting.room.schedule as unknown as readonly Said[];
    const speakersOf = new Map(said.flatMap(({ name, words }) => words.map(({ word }) => [`${name} ${word}`, name])));
    const attributed = finals().flatMap(({ data }) =>
      (data.words ?? []).map(({ word, start }) => ({ name: data.speaker?.name, word, start })),
    );
    const wrong = attributed.filter(({ name, word }) => speakersOf.get(`${name} ${word}`) !== name);
    expect(wrong.length < attributed.length / 10 ? [] : wrong).toEqual([]);
    const written = JSON.stringify([receiver.handshakes, receiver.messages, await bot.log()]);
    expect(written).not.toContain(apiKey);
    expect(written).not.toContain('key=secret');
  }, 180_000);
});

test.each(['gladia', 'deepgram', 'assemblyai', 'speechmatics', 'soniox', 'elevenlabs'] as const)(
  'an hour of live transcription by %s with 20 forced reconnects loses and repeats no final segment',
  async (provider) => {
    const result = await runLiveCampaign({ provider, minutes: 60, speed: 10, cuts: 20, seed: 5 });
    expect(result).toMatchObject({ lost: 0, repeated: 0, outOfOrder: 0, wrongSpeaker: 0, providerSessions: 11 });
  },
  900_000,
);
