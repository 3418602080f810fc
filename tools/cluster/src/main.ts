// A cluster for experiments: prints the path of its kubeconfig, and runs until Ctrl-C.
import { once } from 'node:events';
import { startTestCluster } from './test-cluster.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const cluster = await startTestCluster(say);
say(`export KUBECONFIG=${cluster.kubeconfigFile}`);
say('Ctrl-C stops it.');
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await cluster.stop();
