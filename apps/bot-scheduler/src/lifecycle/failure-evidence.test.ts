import { describe, expect, test } from '@jest/globals';
import { failureEvidenceOf } from './failure-evidence.ts';

describe('the evidence of a failure', () => {
  test('keeps what customers and operators see and drops the rest', () => {
    const steps = [{ step: 'page-opened', atMs: 1_000 }];
    const shown = { rule: 'denied-text', state: 'waiting-room', title: 'Meet', host: 'meet.example', steps };
    const page = { said: 'Not today.', shape: '77f791a086734ea9', folder: 'evidence/0001/' };
    expect(failureEvidenceOf({ ...shown, ...page, screenshot: true })).toEqual({ ...shown, ...page });
  });

  test('is null where the runner reported none', () => {
    expect(failureEvidenceOf(undefined)).toBeNull();
  });

  test('is null or empty in each member that cannot be read', () => {
    const steps = [{ step: 7, atMs: 1 }, { step: 'late', atMs: Number.NaN }, null, { step: 'x', atMs: 1e300 }];
    const none = { rule: null, state: null, title: null, host: null, said: null, shape: null, folder: null };
    expect(failureEvidenceOf({ rule: 7, state: [], title: {}, steps })).toEqual({ ...none, steps: [] });
    expect(failureEvidenceOf({ steps: 'none' })).toEqual({ ...none, steps: [] });
  });

  test('bounds texts and steps, and stores no NUL and no half of a surrogate pair', () => {
    const steps = Array.from({ length: 300 }, (_, atMs) => ({ step: 's'.repeat(1_000), atMs }));
    const kept = failureEvidenceOf({ rule: `\0${'r'.repeat(254)}\u{1F600}`, steps });
    expect(kept?.rule).toBe(`${'r'.repeat(254)}\uFFFD`);
    expect(kept?.steps).toHaveLength(200);
    expect(kept?.steps[0]?.step).toHaveLength(256);
  });
});
