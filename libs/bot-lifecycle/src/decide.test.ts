import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decide, endReasons, isFinal, newBotState, reasonStatusCodes } from './index.ts';
import type { BotState, EndCode, FinalOutcome, LifecycleInput, ReportedStatusCode } from './index.ts';

const reported: ReportedStatusCode[] = [
  'joining_call',
  'in_waiting_room',
  'in_waiting_for_host',
  'in_call_not_recording',
  'in_call_recording',
  'recording_paused',
  'recording_resumed',
];
const ended = (code: EndCode, recorded: boolean): LifecycleInput => ({
  kind: 'ended',
  end: { code, message: endReasons[code].message, recorded },
});
const status = (code: ReportedStatusCode): LifecycleInput => ({ kind: 'status', code });

interface Life {
  readonly state: BotState;
  readonly codes: string[];
  readonly finals: FinalOutcome[];
  readonly refused: number;
}

function live(inputs: readonly LifecycleInput[], start: BotState = newBotState({ transcriptionWanted: false })): Life {
  let state = start;
  let refused = 0;
  const codes: string[] = [];
  const finals: FinalOutcome[] = [];
  for (const input of inputs) {
    const decision = decide(state, input);
    if (!decision.allowed) {
      refused += 1;
      continue;
    }
    state = decision.next;
    codes.push(...decision.steps.map((step) => step.code));
    if (decision.final !== null) finals.push(decision.final);
  }
  return { state, codes, finals, refused };
}

const anyInput: fc.Arbitrary<LifecycleInput> = fc.oneof(
  fc.constantFrom<LifecycleInput>(
    { kind: 'pickup-late' },
    { kind: 'upload-unconfirmed' },
    { kind: 'recording-stored' },
    { kind: 'recording-lost', message: 'The fragments are gone.' },
    { kind: 'transcribed' },
    { kind: 'transcription-failed' },
  ),
  fc.constantFrom(...reported).map(status),
  fc
    .tuple(fc.constantFrom(...(Object.keys(endReasons) as EndCode[])), fc.boolean())
    .map(([code, recorded]) => ended(code, recorded)),
);
const goodLife: LifecycleInput[] = [
  ...reported.filter((code) => code !== 'in_waiting_for_host').map(status),
  ended('API_REQUEST', true),
  { kind: 'recording-stored' },
];
/** Noise, or a valid sequence with noise between its steps: noise alone hardly ever completes. */
const anyLife = fc.oneof(
  fc.array(anyInput, { maxLength: 60 }),
  fc
    .array(fc.array(anyInput, { maxLength: 1 }), { minLength: goodLife.length, maxLength: goodLife.length })
    .map((noise) => goodLife.flatMap((step, index) => [...(noise[index] ?? []), step])),
);
const anyStart = fc
  .tuple(fc.boolean(), fc.boolean())
  .map(([transcriptionWanted, leaveRequested]) => ({ ...newBotState({ transcriptionWanted }), leaveRequested }));

describe('whatever happens to a bot', () => {
  test('it has at most one final event, and exactly one when it is final', () => {
    fc.assert(
      fc.property(anyStart, anyLife, (start, inputs) => {
        const { state, finals, codes } = live(inputs, start);
        expect(finals).toHaveLength(isFinal(state.phase) ? 1 : 0);
        expect(codes.filter((code) => code === 'completed' || code === 'failed')).toHaveLength(finals.length);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a final state refuses everything that follows', () => {
    fc.assert(
      fc.property(anyStart, anyLife, anyInput, (start, inputs, next) => {
        const { state } = live(inputs, start);
        fc.pre(isFinal(state.phase));
        expect(decide(state, next).allowed).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test('its status is never a reason code and always the last code announced', () => {
    fc.assert(
      fc.property(anyStart, anyLife, (start, inputs) => {
        const { state, codes } = live(inputs, start);
        expect(reasonStatusCodes as readonly string[]).not.toContain(state.status);
        expect(state.status).toBe(codes.at(-1) ?? 'queued');
      }),
    );
  });

  test('it is completed only with a normal end and a recording', () => {
    let completed = 0;
    fc.assert(
      fc.property(anyStart, anyLife, (start, inputs) => {
        const { state, finals } = live(inputs, start);
        if (state.phase !== 'completed') return;
        completed += 1;
        expect(endReasons[finals[0]?.code ?? 'UNKNOWN_ERROR'].kind).toBe('normal');
        expect(state.end?.recorded).toBe(true);
      }),
      { numRuns: 2_000 },
    );
    expect(completed).toBeGreaterThan(20);
  });

  test('an ended bot fails with the end it was given first', () => {
    fc.assert(
      fc.property(anyStart, anyLife, (start, inputs) => {
        const { state, finals } = live(inputs, start);
        fc.pre(finals.length > 0);
        expect(finals[0]).toMatchObject({ code: state.end?.code, outcome: state.phase });
      }),
    );
  });
});

const joined = [status('joining_call'), status('in_waiting_room'), status('in_call_not_recording')];
const recording = [...joined, status('in_call_recording')];

describe('a bot that records', () => {
  test('announces each step to completed', () => {
    const { codes, finals } = live([...recording, ended('API_REQUEST', true), { kind: 'recording-stored' }]);
    expect(codes).toEqual([
      'joining_call',
      'in_waiting_room',
      'in_call_not_recording',
      'in_call_recording',
      'call_ended',
      'recording_succeeded',
      'completed',
    ]);
    expect(finals).toEqual([{ outcome: 'completed', code: 'API_REQUEST', message: endReasons.API_REQUEST.message }]);
  });

  test('may be paused and resumed many times', () => {
    const { state, refused } = live([
      ...recording,
      status('recording_paused'),
      status('recording_resumed'),
      status('recording_paused'),
      status('recording_resumed'),
    ]);
    expect(refused).toBe(0);
    expect(state).toMatchObject({ phase: 'recording', status: 'recording_resumed' });
  });

  test('carries the start time of the recording and nothing else does', () => {
    const decision = decide(live(joined).state, {
      kind: 'status',
      code: 'in_call_recording',
      startTime: 1_700_000_000,
    });
    expect(decision).toMatchObject({ steps: [{ code: 'in_call_recording', startTime: 1_700_000_000 }] });
  });

  test('fails with its crash code after its artifacts were saved', () => {
    const { codes, finals } = live([...recording, ended('FORCE_KILLED', true), { kind: 'recording-stored' }]);
    expect(codes.slice(-3)).toEqual(['call_ended', 'recording_failed', 'failed']);
    expect(finals[0]).toMatchObject({ outcome: 'failed', code: 'FORCE_KILLED' });
  });

  test('keeps its normal end when its runner dies while finalizing', () => {
    const { finals, refused } = live([
      ...recording,
      ended('NO_SPEAKER', true),
      ended('FORCE_KILLED', true),
      { kind: 'recording-stored' },
    ]);
    expect(refused).toBe(1);
    expect(finals[0]).toMatchObject({ outcome: 'completed', code: 'NO_SPEAKER' });
  });

  test('fails with INTERNAL_ERROR when a normal end has lost its recording, and states why the call ended', () => {
    const lost = live([...recording, ended('BOT_REMOVED', true), { kind: 'recording-lost', message: 'It is gone.' }]);
    expect(lost.codes.slice(-3)).toEqual(['bot_removed', 'recording_failed', 'failed']);
    expect(lost.finals[0]).toEqual({ outcome: 'failed', code: 'INTERNAL_ERROR', message: 'It is gone.' });
  });

  test('keeps the reason for which it failed when its recording is lost, and adds the loss', () => {
    const loss: LifecycleInput = { kind: 'recording-lost', message: 'It is gone.' };
    const { state, finals } = live([...recording, ended('FORCE_KILLED', true), loss]);
    const message = `${endReasons.FORCE_KILLED.message} It is gone.`;
    expect(finals).toEqual([{ outcome: 'failed', code: 'FORCE_KILLED', message }]);
    expect(state.end?.recorded).toBe(false);
  });

  test('waits for its transcript where one is wanted', () => {
    const start = newBotState({ transcriptionWanted: true });
    const stored = [...recording, ended('API_REQUEST', true), { kind: 'recording-stored' }] as const;
    expect(live(stored, start).state).toMatchObject({ phase: 'transcribing', status: 'transcribing' });
    expect(live([...stored, { kind: 'transcribed' }], start).state.phase).toBe('completed');
    expect(live([...stored, { kind: 'transcription-failed' }], start).finals[0]?.code).toBe('TRANSCRIPTION_FAILED');
  });
});

describe('a bot that never records', () => {
  test.each<[string, LifecycleInput[], EndCode, boolean, string[], EndCode]>([
    [
      'turned away',
      joined.slice(0, 2),
      'BOT_NOT_ACCEPTED',
      false,
      ['bot_rejected', 'recording_failed', 'failed'],
      'BOT_NOT_ACCEPTED',
    ],
    [
      'left waiting',
      joined.slice(0, 2),
      'TIMEOUT_WAITING_TO_START',
      false,
      ['waiting_room_timeout', 'recording_failed', 'failed'],
      'TIMEOUT_WAITING_TO_START',
    ],
    [
      'removed at once',
      joined,
      'BOT_REMOVED',
      false,
      ['bot_removed_too_early', 'recording_failed', 'failed'],
      'BOT_REMOVED_TOO_EARLY',
    ],
    [
      'asked to leave while it waits',
      joined.slice(0, 2),
      'API_REQUEST',
      true,
      ['api_request_stop', 'recording_failed', 'failed'],
      'EXITING_MEETING_BEFORE_RECORD',
    ],
    [
      'in a meeting that ends first',
      joined.slice(0, 2),
      'EXITING_MEETING_BEFORE_RECORD',
      false,
      ['meeting_error', 'recording_failed', 'failed'],
      'EXITING_MEETING_BEFORE_RECORD',
    ],
    ['refused at queue time', [], 'DAILY_BOT_CAP_REACHED', false, ['failed'], 'DAILY_BOT_CAP_REACHED'],
    ['killed', joined, 'OOM_KILLED', false, ['recording_failed', 'failed'], 'OOM_KILLED'],
  ])('and is %s fails with the right codes', (_what, before, code, leaveRequested, announced, final) => {
    const start = { ...newBotState({ transcriptionWanted: false }), leaveRequested };
    const { codes, finals } = live([...before, ended(code, false)], start);
    expect(codes.slice(before.length)).toEqual(announced);
    expect(finals).toEqual([{ outcome: 'failed', code: final, message: endReasons[final].message }]);
  });
});

describe('an illegal or repeated input', () => {
  test('is refused in plain words', () => {
    const decision = decide(newBotState({ transcriptionWanted: false }), status('in_call_recording'));
    expect(decision).toEqual({ allowed: false, why: 'recording_started does not follow queued.' });
  });

  test('that states what is already so changes nothing and announces nothing', () => {
    const { state } = live(joined);
    expect(decide(state, status('in_call_not_recording'))).toEqual({
      allowed: true,
      next: state,
      steps: [],
      final: null,
    });
  });
});
