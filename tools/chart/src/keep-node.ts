// Two full nodes with the trial release, for work by hand, until Ctrl-C: npm run test:cluster -- --node --keep.
import { dirname } from 'node:path';
import { provideHelm } from '@rapporteur/cluster';
import { openTrialInstallation } from './trial-installation.ts';

const trial = await openTrialInstallation();
process.stdout.write('Installing the trial values …\n');
await trial.install();
const key = await trial.createTeam();
const programs = [trial.node.programs, dirname(await provideHelm(() => undefined))].join(':');
const lines = [
  '',
  'The release "rapporteur" runs. The line "A shell beside them" above has the command for a shell on the first node. There:',
  `  export KUBECONFIG=${trial.node.kubeconfigFile} PATH=${programs}:$PATH`,
  `  curl -H 'x-service-api-key: ${key}' http://api.rapporteur.localhost/v2/bots`,
  `  ${trial.node.enterSecond.join(' ')} bash    # a shell on the second node`,
  'Ctrl-C removes everything.',
];
process.stdout.write(`${lines.join('\n')}\n`);
// The programs of the nodes keep this one running; what made the namespaces kills everything in them.
