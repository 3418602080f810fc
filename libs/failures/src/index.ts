export { catalogue } from './catalogue.ts';
export type { CatalogueEntry, FailureCode, Fault } from './catalogue.ts';
export { asFailure, callerFailureOf, fail, Failure, toEnvelope } from './failure.ts';
export type { ErrorEnvelope, FailureOptions } from './failure.ts';
