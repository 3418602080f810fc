export { startFaultProxy } from './fault-proxy.ts';
export type { Fate, FaultProxy } from './fault-proxy.ts';
export { startRadosgw } from './radosgw.ts';
export type { Radosgw, RadosgwUser } from './radosgw.ts';
