import { startRadosgw } from './radosgw.ts';
import type { S3Server } from './s3-server.ts';

let start: () => Promise<S3Server> = () => startRadosgw();

/** The S3 server of a suite: radosgw, or the one that `useS3Server` set before. */
export function startS3Server(): Promise<S3Server> {
  return start();
}

/** A suite that runs the tests of another file against another server calls this before it imports that file. */
export function useS3Server(other: () => Promise<S3Server>): void {
  start = other;
}
