import { testClusterKills } from '../testing/cluster-kills-suite.ts';

testClusterKills({ bots: 30, kills: 15, seed: 4 });
