// Node's own type stripping keeps positions, so stack traces are right without source maps. It does not support JSX: esbuild does.
import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';
import { transformSync, version } from 'esbuild';

export default {
  process(source, path) {
    if (path.endsWith('.tsx')) {
      return {
        code: transformSync(source, { loader: 'tsx', format: 'esm', jsx: 'automatic', sourcemap: 'inline' }).code,
      };
    }
    return { code: stripTypeScriptTypes(source, { mode: 'strip' }) };
  },
  getCacheKey(source, path) {
    return createHash('sha1')
      .update(process.version)
      .update(version)
      .update(path)
      .update('\0')
      .update(source)
      .digest('hex');
  },
};
