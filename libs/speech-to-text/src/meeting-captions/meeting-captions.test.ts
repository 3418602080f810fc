import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { createMeetingCaptions } from './meeting-captions.ts';

const line = (given: object) => JSON.stringify({ text: 'Good morning.', language: 'en-US', ...given });
const known = { speaker: 'Ann', speaker_id: 1, start: 1, end: 3.2, is_final: true };

async function transcribed(content: string) {
  const open = async () => ({ byteLength: content.length, stream: Readable.from([Buffer.from(content)]) });
  const audio = { open, contentType: 'application/x-ndjson', fileName: 'x.jsonl' };
  const submission = { reference: 'r', audio, upload: null, callbackUrl: null, speakers: 'several' as const };
  const submitted = await createMeetingCaptions().submit(submission);
  if (submitted.kind !== 'transcript') throw new Error('It should be a transcript.');
  return submitted.transcript;
}

describe("the meeting's own captions", () => {
  test('are a transcript with certain speakers, and words whose times are marked as interpolated', async () => {
    const { utterances, languages, billedMs } = await transcribed(line(known));
    expect(languages).toEqual(['en-US']);
    expect(billedMs).toBe(0);
    expect(utterances).toMatchObject([
      { text: 'Good morning.', startMs: 1_000, endMs: 3_200, confidence: null, participant: { id: 1, name: 'Ann' } },
    ]);
    expect(utterances[0]?.words).toEqual([
      { text: 'Good', startMs: 1_000, endMs: 1_733, confidence: null, interpolated: true },
      { text: 'morning.', startMs: 1_733, endMs: 3_200, confidence: null, interpolated: true },
    ]);
  });

  test('are kept as they came, and a line that cannot be read costs no other', async () => {
    const transcript = await transcribed(['{"text":', line({ ...known, start: 'one' }), '', line(known)].join('\n'));
    expect(transcript.utterances).toHaveLength(1);
    expect(transcript.raw).toEqual({ captions: [{ text: 'Good morning.', language: 'en-US', ...known }] });
  });

  test('of a meeting without speech are empty', async () => {
    expect((await transcribed('')).utterances).toEqual([]);
  });
});
