// Teams' buckets and direct uploads against an S3 server of other authors, which takes minutes to build once: versitygw, or `STORE=minio`.
import { provideStoreProgram } from '@rapporteur/cluster';
import { independentServer, useS3Server } from '@rapporteur/object-store/testing';

const say = (text: string) => void process.stdout.write(`${text}\n`);
useS3Server(await independentServer((name) => provideStoreProgram(name, say)));
await import('./team-storage.integration.test.ts');
await import('../direct/direct-uploads.integration.test.ts');
