// Node's own type stripping keeps positions, so stack traces are right without source maps.
import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

export default {
  process(source) {
    return { code: stripTypeScriptTypes(source, { mode: 'strip' }) };
  },
  getCacheKey(source, path) {
    return createHash('sha1').update(process.version).update(path).update('\0').update(source).digest('hex');
  },
};
