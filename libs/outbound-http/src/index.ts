export { createOutboundHttp } from './outbound-http.ts';
export type { OutboundAnswer, OutboundHttp, OutboundHttpOptions, OutboundRequest } from './outbound-http.ts';
export { OutboundFailure } from './outbound-failure.ts';
export type { OutboundFailureKind } from './outbound-failure.ts';
export type { Lookup } from './resolve.ts';
