import { speakerSuite } from '../testing/conformance-suite.ts';
import { conformancePlatforms, sampledSelection } from './selection.ts';

for (const platform of conformancePlatforms) speakerSuite(platform, sampledSelection(platform));
