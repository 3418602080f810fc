export { openApiClient } from './api-client.ts';
export type { ApiClient } from './api-client.ts';
export { MissingPrerequisite, provideBinaries, provideCyclonus, provideHelm, provideVersitygw } from './binaries.ts';
export { fakeNodeAnnotations } from './fake-node.ts';
export { fakeNodeToleration, startOwnCluster, startTestCluster } from './test-cluster.ts';
export type { TestCluster } from './test-cluster.ts';
