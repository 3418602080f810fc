import { describe, expect, test } from '@jest/globals';
import { attemptInPlace } from './attempt-in-place.ts';

function failing(failures: number) {
  const attempts: number[] = [];
  const errors: string[] = [];
  const step = async (attempt: number): Promise<string> => {
    attempts.push(attempt);
    if (attempts.length <= failures) throw new Error(`failure ${attempts.length}`);
    return 'started';
  };
  const onFailure = (error: unknown): void => void errors.push((error as Error).message);
  return { attempts, errors, step, onFailure };
}

describe('a step in its place', () => {
  test('is attempted once more when it fails', async () => {
    const { attempts, errors, step, onFailure } = failing(1);
    expect(await attemptInPlace(step, onFailure)).toBe('started');
    expect([attempts, errors]).toEqual([[1, 2], ['failure 1']]);
  });

  test('fails with the error of the second attempt', async () => {
    const { attempts, step, onFailure } = failing(Infinity);
    await expect(attemptInPlace(step, onFailure)).rejects.toThrow('failure 2');
    expect(attempts).toEqual([1, 2]);
  });

  test('is not attempted any more when the attendance ends', async () => {
    const ending = new AbortController();
    const { attempts, step } = failing(Infinity);
    const onFailure = (): void => ending.abort(new Error('The attendance ends.'));
    await expect(attemptInPlace(step, onFailure, ending.signal)).rejects.toThrow('The attendance ends.');
    expect(attempts).toEqual([1]);
  });
});
