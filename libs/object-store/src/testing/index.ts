export { startFaultProxy } from './fault-proxy.ts';
export type { Fate, FaultProxy } from './fault-proxy.ts';
export { startRadosgw } from './radosgw.ts';
export { independentServer } from './independent-servers.ts';
export type { S3Server, S3User } from './s3-server.ts';
export { startS3Server, useS3Server } from './start-s3-server.ts';
export { startStrictStore } from './strict-store.ts';
export type { StoreLimits, StrictStore } from './strict-store.ts';
