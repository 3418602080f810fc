import { join } from 'node:path';
import { runProgram } from './helm.ts';

export const root = join(import.meta.dirname, '../../..');

/** Keys that an operator adds for the object store of the production example. */
const ofTheOperator = { 's3-access-key-id': 'AKIAEXAMPLE', 's3-secret-access-key': 'an example' };

export interface SecretManifest {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly stringData: Readonly<Record<string, string>>;
}

/** The output of `rapporteur secrets manifest --trial`, from the program itself. */
export async function makeManifest(): Promise<SecretManifest> {
  const entry = join(root, 'tools/operator-cli/src/main.ts');
  const { code, output, errors } = await runProgram(
    process.execPath,
    [entry, 'secrets', 'manifest', '--trial'],
    process.env,
  );
  if (code !== 0) throw new Error(errors);
  return JSON.parse(output) as SecretManifest;
}

export async function makeSecrets(): Promise<Readonly<Record<string, string>>> {
  return { ...(await makeManifest()).stringData, ...ofTheOperator };
}
