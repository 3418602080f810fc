export {
  apiOf,
  batchProviders,
  defaultRegion,
  isBatchProvider,
  isLiveProvider,
  isOfVendor,
  isSimulated,
  keyedLiveApis,
  keySettingOf,
  liveProviders,
  readByProvider,
  regionsOf,
  vendorAddress,
} from './providers.ts';
export type { BatchProviderName, KeySetting, LiveApi, LiveProviderName, ProviderName } from './providers.ts';
export { findParameterProblem, unknownParameters, withDefaults } from './custom-params.ts';
