// The driver's tests against an S3 server of other authors, which takes minutes to build once: versitygw, or `STORE=minio`.
import { provideStoreProgram } from '@rapporteur/cluster';
import { independentServer, useS3Server } from '../testing/index.ts';

const say = (text: string) => void process.stdout.write(`${text}\n`);
useS3Server(await independentServer((name) => provideStoreProgram(name, say)));
await import('./s3-store.integration.test.ts');
