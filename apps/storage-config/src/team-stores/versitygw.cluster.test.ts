// Teams' buckets and direct uploads against an independent S3 server, which takes minutes to build.
import { provideVersitygw } from '@rapporteur/cluster';
import { startVersitygw, useS3Server } from '@rapporteur/object-store/testing';

const program = await provideVersitygw((text) => void process.stdout.write(`${text}\n`));
useS3Server(() => startVersitygw(program));
await import('./team-storage.integration.test.ts');
await import('../direct/direct-uploads.integration.test.ts');
