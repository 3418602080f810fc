// The driver's tests against an independent S3 server, which takes minutes to build.
import { provideVersitygw } from '@rapporteur/cluster';
import { startVersitygw, useS3Server } from '../testing/index.ts';

const program = await provideVersitygw((text) => void process.stdout.write(`${text}\n`));
useS3Server(() => startVersitygw(program));
await import('./s3-store.integration.test.ts');
