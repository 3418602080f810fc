import { describe, expect, test } from '@jest/globals';
import { ScenarioPool } from './scenario-pool.ts';

describe('a pool of scenarios', () => {
  test('begins a few ahead, and each only once', async () => {
    const begun: string[] = [];
    const pool = new ScenarioPool(['a', 'b', 'c'], 2, async (item: string) => {
      begun.push(item);
      return item;
    });
    const first = pool.take('a');
    expect(begun).toEqual(['a', 'b']);
    expect(await first).toBe('a');
    expect(await pool.take('b')).toBe('b');
    expect(await pool.take('c')).toBe('c');
    expect(begun).toEqual(['a', 'b', 'c']);
    await pool.drain();
    expect(pool.busy).toBe(false);
  });

  test('does again what failed and is requested again', async () => {
    let tries = 0;
    const pool = new ScenarioPool(['a'], 2, async () => {
      tries += 1;
      if (tries === 1) throw new Error('a starved machine');
      return 'done';
    });
    await expect(pool.take('a')).rejects.toThrow('starved');
    expect(await pool.take('a')).toBe('done');
  });
});
