import { conformanceSuite } from '../testing/conformance-suite.ts';
import { conformancePlatforms, wholeSelection } from './selection.ts';

// Every scenario on every platform takes half an hour; `npm test` runs a sample (selection.ts).
for (const platform of conformancePlatforms) conformanceSuite(platform, wholeSelection(platform));
