import type { JobSettings } from '../../launch/kubernetes/job-spec.ts';
import { podSettings } from '../../launch/kubernetes/pod-settings.ts';

/** Settings of Jobs in tests. */
export const jobSettings: JobSettings = {
  namespace: 'bots',
  instance: 'test',
  image: 'registry.example/bot-runner:1',
  environment: { RAPPORTEUR_SCHEDULER_URL: 'http://bot-scheduler:3000' },
  runDeadlineSeconds: 32_400,
  terminationGraceSeconds: 60,
  keepEndedSeconds: 600,
  pod: podSettings.parse({}),
};
