import { describe, expect, test } from '@jest/globals';
import { endReasons, explainBot, isFinal, mayLeave, phases, transitions } from './index.ts';
import type { BotFacts, EndCode } from './index.ts';

const noTranscription = { wanted: false, status: null, message: null, isStored: false } as const;
const whole = {
  gapMs: 0,
  gapReason: null,
  videoMissingMs: 0,
  videoMissingReason: null,
  audioImpairedMs: 0,
  degradedMs: 0,
} as const;
const done: BotFacts = {
  phase: 'completed',
  status: 'completed',
  delayReason: null,
  isDegraded: false,
  end: { code: 'BOT_REMOVED', message: endReasons.BOT_REMOVED.message },
  data: 'kept',
  files: 'video',
  recordedMs: 36_000,
  integrity: whole,
  transcription: { wanted: true, status: 'done', message: null, isStored: true },
  isMeetingOver: false,
};
const failed = (code: EndCode, facts: Partial<BotFacts> = {}): BotFacts => ({
  ...done,
  phase: 'failed',
  status: 'failed',
  end: { code, message: endReasons[code].message },
  files: 'none',
  recordedMs: null,
  integrity: null,
  transcription: noTranscription,
  ...facts,
});
const live = (phase: BotFacts['phase'], status: BotFacts['status']): BotFacts => ({
  ...failed('UNKNOWN_ERROR'),
  phase,
  status,
  end: null,
  transcription: { ...noTranscription, wanted: true },
});

describe('the sentences of a bot', () => {
  test('state nothing that is missing where nothing is', () => {
    expect(explainBot(done)).toEqual({
      happened: 'The bot was removed from the meeting, or the meeting was ended.',
      recording: null,
      transcript: null,
      actions: [],
    });
  });

  test.each<[string, Partial<BotFacts>, string | null]>([
    [
      'a gap',
      { integrity: { ...whole, gapMs: 29_000, gapReason: 'page_lost' } },
      '29 s of 36 s are not recorded: the bot had to open the meeting again.',
    ],
    ['a gap without a reason', { integrity: { ...whole, gapMs: 1_000 } }, '1 s of 36 s is not recorded.'],
    ['a gap that is too short to matter', { integrity: { ...whole, gapMs: 300, gapReason: 'storage_slow' } }, null],
    [
      'video in part',
      { integrity: { ...whole, videoMissingMs: 125_000, videoMissingReason: 'black' } },
      '2 min 5 s of its video is missing: the page delivered black frames.',
    ],
    [
      'all video, and a gap',
      {
        files: 'audio',
        integrity: {
          ...whole,
          gapMs: 29_000,
          gapReason: 'page_lost',
          videoMissingMs: 7_000,
          videoMissingReason: 'no_frames',
        },
      },
      '29 s of 36 s are not recorded: the bot had to open the meeting again. There is no video: the page showed it and delivered no frames.',
    ],
    [
      'video that was not requested',
      { files: 'audio', integrity: { ...whole, videoMissingReason: 'audio_only' } },
      'There is no video: the bot was sent to record audio only.',
    ],
    [
      'what a busy machine cost',
      { integrity: { ...whole, audioImpairedMs: 12_000, degradedMs: 70_000 } },
      'For 1 min 10 s its video has fewer or smaller frames: the bot got less CPU than it needs. For 12 s its audio is interrupted or stretched.',
    ],
    ['single seconds of late packets', { integrity: { ...whole, audioImpairedMs: 4_000, degradedMs: null } }, null],
    ['its files, deleted', { data: 'deleted', files: 'none' }, 'The data of this bot was deleted.'],
  ])('state what the recording lacks: %s', (_what, facts, sentence) => {
    expect(explainBot({ ...done, ...facts }).recording).toBe(sentence);
  });

  test.each<[Partial<BotFacts['transcription']>, string | null]>([
    [{ wanted: false, status: null, isStored: false }, 'The bot was sent without transcription.'],
    [{ status: 'processing', isStored: false }, 'The transcript is being written.'],
    [
      { status: 'processing', isStored: false, message: 'The local engine is being installed.' },
      'The transcription waits. The local engine is being installed.',
    ],
    [
      { status: 'error', isStored: false, message: 'The provider refused the key.' },
      'The transcription failed. The provider refused the key.',
    ],
    [{ status: 'error', message: null }, 'The newest transcription failed, and the transcript before is kept.'],
    [{ status: null, isStored: true }, null],
  ])('state why there is no transcript: %#', (transcription, sentence) => {
    const facts = { ...done, transcription: { ...done.transcription, ...transcription } };
    expect(explainBot(facts).transcript).toBe(sentence);
  });

  test('state that a recording bot gets too little CPU, and no other', () => {
    const facts = { ...live('recording', 'in_call_recording'), isDegraded: true };
    expect(explainBot(facts).happened).toBe(
      'The bot records the meeting. The bot gets less CPU than it needs: its recording drops video, and audio last.',
    );
    expect(explainBot({ ...facts, phase: 'finalizing', status: 'call_ended' }).happened).toBe(
      'The bot has left the meeting. Its recording is being stored.',
    );
  });

  test('of a failed transcription offer another one, and no other bot', () => {
    const facts = failed('TRANSCRIPTION_FAILED', {
      files: 'audio',
      transcription: { wanted: true, status: 'error', message: 'Not reached.', isStored: false },
    });
    expect(explainBot(facts).actions.map(({ action }) => action)).toEqual(['transcribe']);
    expect(explainBot(facts).happened).toBe('The recording is stored and could not be transcribed.');
  });

  test('offer another bot only while the meeting may be running', () => {
    const actions = (isMeetingOver: boolean) =>
      explainBot(failed('TIMEOUT_WAITING_TO_START', { isMeetingOver })).actions.map(({ action, by }) => [action, by]);
    expect(actions(false)).toEqual([
      ['correct', 'host'],
      ['send_again', 'team'],
    ]);
    expect(actions(true)).toEqual([['correct', 'host']]);
  });

  test('in the waiting room name who admits it, and why it waits', () => {
    const facts: BotFacts = { ...live('waiting', 'in_waiting_room'), delayReason: 'page_not_recognised' };
    expect(explainBot(facts)).toMatchObject({
      happened: expect.stringMatching(/^The bot is in the waiting room of the meeting\. The bot requested to join/),
      actions: [{ action: 'admit', by: 'host' }],
    });
  });
});

/** Every status that a bot can keep, with its phase, by the table of transitions. */
const kept = [
  ['queued', 'queued'] as const,
  ...transitions.map(({ to, announces }) => [to, announces.at(-1) as BotFacts['status']] as const),
];

/** Every combination of facts that the lifecycle allows. */
function* combinations(): Generator<BotFacts> {
  const transcriptions = [false, true].flatMap((wanted) =>
    ([null, 'queued', 'processing', 'done', 'error'] as const).flatMap((status) =>
      (status === 'done' ? [true] : [false, true]).map((isStored) => ({ wanted, status, message: null, isStored })),
    ),
  );
  for (const [phase, status] of kept) {
    const outcome = isFinal(phase) ? phase : null;
    const codes = (Object.keys(endReasons) as EndCode[]).filter((code) => endReasons[code].outcome === outcome);
    for (const code of outcome === null ? [null] : codes)
      for (const files of mayLeave(phase) || phase === 'finalizing' ? (['none'] as const) : fileStates)
        for (const data of outcome === null ? (['kept'] as const) : (['kept', 'being_deleted', 'deleted'] as const))
          for (const gapMs of files === 'none' ? [0] : [0, 29_000])
            for (const transcription of files === 'none' ? transcriptions.slice(0, 1) : transcriptions)
              for (const isMeetingOver of [false, true])
                yield {
                  ...done,
                  phase,
                  status,
                  end: code === null ? null : { code, message: endReasons[code].message },
                  files,
                  data,
                  integrity: files === 'none' ? null : { ...whole, gapMs, gapReason: gapMs > 0 ? 'page_lost' : null },
                  transcription,
                  isMeetingOver,
                };
  }
}
const fileStates = ['none', 'audio', 'video'] as const;

/** What is wrong with the sentences of these facts. */
function contradictionsOf(facts: BotFacts): string[] {
  const { happened, recording, transcript, actions } = explainBot(facts);
  const { files, data, transcription, isMeetingOver, phase, integrity } = facts;
  const texts = [happened, recording ?? '', transcript ?? '', ...actions.map(({ message }) => message)];
  const can = new Set(actions.map(({ action }) => action));
  const isKept = data === 'kept';
  const checks: readonly (readonly [what: string, isRight: boolean])[] = [
    ['sentences are complete', texts.every((text) => /^$|^[A-Z0-9].*\.$/.test(text))],
    ['each action is offered once', actions.length === can.size],
    ['transcribes what is stored only', !can.has('transcribe') || (isFinal(phase) && isKept && files !== 'none')],
    ['sends again to a running meeting only', !can.has('send_again') || (phase === 'failed' && !isMeetingOver)],
    ['calls no stored transcript missing', !isKept || transcription.status !== 'done' || transcript === null],
    [
      'calls no missing transcript stored',
      transcription.status !== null || transcription.isStored || transcript !== null,
    ],
    ['denies no request for one', !transcription.wanted || transcript !== 'The bot was sent without transcription.'],
    ['states that there is no recording', files !== 'none' || recording !== null],
    [
      'states that there is no video',
      !isKept || files !== 'audio' || recording?.includes('There is no video') === true,
    ],
    ['states the gap', !isKept || integrity?.gapMs !== 29_000 || recording?.includes('29 s of 36 s are not') === true],
    [
      'calls nothing missing that is there',
      !isKept || files !== 'video' || integrity?.gapMs !== 0 || recording === null,
    ],
    ['states the deletion only', isKept || (recording !== null && recording === transcript)],
  ];
  return checks.flatMap(([what, isRight]) => (isRight ? [] : [`${what}: ${JSON.stringify(facts)}`]));
}

test('no combination of facts contradicts itself', () => {
  const all = [...combinations()];
  expect(all.flatMap(contradictionsOf)).toEqual([]);
  const codes = new Set(all.flatMap(({ end }) => (end === null ? [] : [end.code])));
  expect([...codes].toSorted()).toEqual(Object.keys(endReasons).toSorted());
  expect(phases.filter((phase) => !all.some((facts) => facts.phase === phase))).toEqual([]);
});
