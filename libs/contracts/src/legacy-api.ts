import document from './generated/legacy.v1.json' with { type: 'json' };

export type {
  components as LegacyComponents,
  operations as LegacyOperations,
  paths as LegacyPaths,
} from './generated/legacy.v1.ts';

/** The legacy generation as one OpenAPI 3.1 document, bundled from `openapi/legacy.v1`. Never changed: take a copy. */
export const legacyDocument: unknown = document;
