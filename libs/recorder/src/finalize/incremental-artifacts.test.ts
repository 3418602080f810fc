import { describe, expect, test } from '@jest/globals';
import type { ByteSpan } from '@rapporteur/media-container';
import { spansLength } from '@rapporteur/media-container';
import { readSpans } from '../span-files.ts';
import { IncrementalFile, heldBytes, partBytes } from './incremental-artifacts.ts';

const bytesOf = async (spans: readonly ByteSpan[]): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of readSpans(spans)) parts.push(part);
  return Buffer.concat(parts);
};

describe('a file that grows', () => {
  test('gives its parts in order, keeps what is behind its beginning, and loses no byte', async () => {
    const parts: ByteSpan[][] = [];
    const file = new IncrementalFile((number, spans) => {
      expect(number).toBe(parts.length + 1);
      parts.push([...spans]);
    });
    const written: Buffer[] = [];
    for (let index = 0; spansLength(written.map((bytes) => ({ bytes }))) < heldBytes + 2.5 * partBytes; index += 1) {
      const bytes = Buffer.alloc(900_001, index);
      written.push(bytes);
      file.append([{ bytes: bytes.subarray(0, 17) }, { bytes: bytes.subarray(17) }]);
    }
    const { head, parts: count, tail } = file.finish(Buffer.from('head'));
    expect([count, parts.map(spansLength)]).toEqual([2, [partBytes, partBytes]]);
    expect(spansLength(head)).toBe(4 + heldBytes);
    const whole = await bytesOf([...head, ...parts.flat(), ...tail]);
    expect(whole.equals(Buffer.concat([Buffer.from('head'), ...written]))).toBe(true);
  });

  test('that stays short has no parts', () => {
    const file = new IncrementalFile(() => expect(true).toBe(false));
    file.append([{ bytes: Buffer.alloc(heldBytes) }]);
    file.append([{ bytes: Buffer.alloc(partBytes - 1) }]);
    expect(file.finish(Buffer.alloc(1)).parts).toBe(0);
  });

  test('that has exactly one part has it at once', () => {
    const numbers: number[] = [];
    const file = new IncrementalFile((number) => numbers.push(number));
    file.append([{ bytes: Buffer.alloc(heldBytes + partBytes) }]);
    expect(numbers).toEqual([1]);
  });
});
