import { testBurst } from '../testing/burst-suite.ts';
import { openClusterScheduler } from '../testing/cluster-scheduler.ts';

testBurst({ bots: 100, createsPerSecond: 20, server: 'real control plane', open: openClusterScheduler });
