import type { Plugin } from 'esbuild';

const namespace = 'unused-driver';

/** Whether an input of a build is the placeholder of an omitted driver. */
export function isUnusedDriver(input: string): boolean {
  return input.startsWith(`${namespace}:`);
}

/**
 * TypeORM loads the drivers of every database that it supports. The services use PostgreSQL only: the others are left
 * out, which saves each service memory and time at its start.
 */
export const postgresOnly: Plugin = {
  name: 'postgres-only',
  setup: (build) => {
    build.onResolve({ filter: /Driver$/ }, ({ path, importer }) => {
      const isUnused = importer.endsWith('/typeorm/driver/DriverFactory.js') && !path.endsWith('/PostgresDriver');
      return isUnused ? { path, namespace } : null;
    });
    build.onLoad({ filter: /.*/, namespace }, () => ({ contents: 'module.exports = {};' }));
  },
};
