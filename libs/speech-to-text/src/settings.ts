export {
  batchProviders,
  defaultRegion,
  isBatchProvider,
  isLiveProvider,
  liveProviders,
  regionsOf,
  vendorAddress,
} from './providers.ts';
export type { BatchProviderName, LiveProviderName, ProviderName } from './providers.ts';
export { findParameterProblem } from './custom-params.ts';
