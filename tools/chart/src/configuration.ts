import { join } from 'node:path';
import { runProgram } from './helm.ts';
import { environmentOf } from './rendered.ts';
import type { Container, KubernetesObject } from './rendered.ts';
import { root } from './secrets.ts';

/** Whether an object is the Deployment of a service that checks its own configuration. */
export function isService({ kind, metadata }: KubernetesObject): boolean {
  return kind === 'Deployment' && !/-(simulator|whisper)$/.test(metadata.name);
}

/** Validates the environment of a container with the service itself; empty: it starts. */
export async function checkConfiguration(
  container: Container,
  secrets: Readonly<Record<string, string>>,
): Promise<string> {
  const entry = join(root, 'apps', container.name, 'src/main.ts');
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const environment = { PATH, NODE_COMPILE_CACHE, ...environmentOf(container, secrets) };
  // A file that exists in pods only.
  delete (environment as Record<string, unknown>)['NODE_EXTRA_CA_CERTS'];
  const { code, errors } = await runProgram(process.execPath, [entry, 'check-configuration'], environment);
  return code === 0 ? '' : `${container.name}: ${errors}`;
}
