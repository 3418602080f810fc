import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { namedContracts } from './index.ts';

const folder = join(import.meta.dirname, '..', 'examples');

interface Example {
  readonly contract: string;
  readonly file: string;
  readonly valid: boolean;
}
const examples = readdirSync(folder).flatMap((contract) =>
  readdirSync(join(folder, contract)).map((file): Example => ({
    contract,
    file,
    valid: !file.endsWith('.invalid.json'),
  })),
);

function parse({ contract, file }: Example): boolean {
  const document: unknown = JSON.parse(readFileSync(join(folder, contract, file), 'utf8'));
  const schema = namedContracts.get(contract);
  if (schema === undefined) throw new Error(`${contract} is no contract: rename the folder or add the contract.`);
  return schema.safeParse(document).success;
}

describe('the example documents', () => {
  test.each(examples.filter((example) => example.valid))('$contract accepts $file', (example) => {
    expect(parse(example)).toBe(true);
  });

  test.each(examples.filter((example) => !example.valid))('$contract refuses $file', (example) => {
    expect(parse(example)).toBe(false);
  });

  test.each([...namedContracts.keys()])('%s has an example that fits and one that does not', (contract) => {
    const own = examples.filter((example) => example.contract === contract).map((example) => example.valid);
    expect(own).toEqual(expect.arrayContaining([true, false]));
  });
});
