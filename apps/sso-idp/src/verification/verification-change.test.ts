import { describe, expect, test } from '@jest/globals';
import type { Verification, VerificationCheck } from '../schema/login-entities.ts';
import { verificationChangeOf } from './verification-change.ts';
import { check } from './verify-workspace.ts';

const workspace = { workspace_id: '5b0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b12', domain: 'bots.example.com', name: 'Bots' };
const checked = (expiry: VerificationCheck['status'], testLogin: VerificationCheck['status']): Verification => {
  const checks = [check('certificate_not_expired', expiry), check('test_login', testLogin)];
  return {
    ok: checks.every(({ status }) => status !== 'fail'),
    checked_at: '2026-11-21T03:00:00.000Z',
    checks,
  };
};

describe('a verification', () => {
  test('is a change when it is the first', () => {
    expect(verificationChangeOf(workspace, null, checked('pass', 'skipped'))).toMatchObject({
      ...workspace,
      ok: true,
      previous_ok: null,
      changed_checks: [],
    });
  });

  test('is no change when every check has the same status', () => {
    expect(verificationChangeOf(workspace, checked('pass', 'pass'), checked('pass', 'pass'))).toBeNull();
  });

  test('is a change when a check warns, although nothing fails', () => {
    const change = verificationChangeOf(workspace, checked('pass', 'skipped'), checked('warn', 'skipped'));
    expect(change).toMatchObject({ ok: true, previous_ok: true, changed_checks: ['certificate_not_expired'] });
  });

  test('is no change when a test sign-in passed before and is skipped now', () => {
    expect(verificationChangeOf(workspace, checked('pass', 'pass'), checked('pass', 'skipped'))).toBeNull();
  });

  test('is a change when a test sign-in that was skipped before fails', () => {
    const change = verificationChangeOf(workspace, checked('pass', 'skipped'), checked('pass', 'fail'));
    expect(change).toMatchObject({ ok: false, previous_ok: true, changed_checks: [] });
  });
});
