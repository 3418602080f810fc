import { rewrapColumns, rotateKeys, rotationOf } from '@rapporteur/secret-box';
import type { SecretBox, Rewrapped, Rotation, RotationDependencies } from '@rapporteur/secret-box';
import type { StorageConfigRow } from '../schema/team-storage-entities.ts';
import type { StorageConfiguration } from './configuration-shape.ts';

export const sealedColumns = ['ingest_secret_access_key', 'service_secret_access_key'] as const;
export type SealedColumn = (typeof sealedColumns)[number];

type RowIds = Pick<StorageConfigRow, 'team_id' | 'storage_config_id'>;

/** Seals and opens the secrets of storage configurations, each bound to its team, record and column. */
export interface ConfigurationSecrets {
  seal(ids: RowIds, configuration: StorageConfiguration): Record<SealedColumn, Buffer>;
  /** Throws when no key opens it. */
  open(row: StorageConfigRow): StorageConfiguration;
  /** Seals again with the current key what a former one still wraps. Throws when no key opens it. */
  rewrap(row: StorageConfigRow): Partial<Record<SealedColumn, Buffer>>;
}

export function createConfigurationSecrets(box: SecretBox): ConfigurationSecrets {
  const placeOf = (ids: RowIds, column: SealedColumn) => ({
    teamId: ids.team_id,
    recordId: ids.storage_config_id,
    field: `storage_configs.${column}`,
  });
  return {
    seal: (ids, configuration) => ({
      ingest_secret_access_key: box.seal(
        configuration.ingest_secret_access_key,
        placeOf(ids, 'ingest_secret_access_key'),
      ),
      service_secret_access_key: box.seal(
        configuration.service_secret_access_key,
        placeOf(ids, 'service_secret_access_key'),
      ),
    }),
    open: (row) => ({
      endpoint: row.endpoint,
      region: row.region,
      force_path_style: row.force_path_style,
      artifacts_bucket: row.artifacts_bucket,
      audio_chunks_bucket: row.audio_chunks_bucket,
      logs_bucket: row.logs_bucket,
      ingest_access_key_id: row.ingest_access_key_id,
      ingest_secret_access_key: box.open(row.ingest_secret_access_key, placeOf(row, 'ingest_secret_access_key')),
      service_access_key_id: row.service_access_key_id,
      service_secret_access_key: box.open(row.service_secret_access_key, placeOf(row, 'service_secret_access_key')),
      allow_transient_spill: row.allow_transient_spill,
      key_prefix: row.key_prefix,
      server_side_encryption: row.server_side_encryption,
      kms_key_id: row.kms_key_id,
    }),
    rewrap: (row) => rewrapColumns(box, row, sealedColumns, placeOf),
  };
}

export function configurationRotation({ rewrap }: ConfigurationSecrets): Rotation {
  return rotationOf<StorageConfigRow>({ name: 'storage_configs', id: 'storage_config_id', rewrap });
}

/** Seals again with the current key what a former one still wraps. */
export function rewrapConfigurations({
  secrets,
  ...dependencies
}: RotationDependencies & { readonly secrets: ConfigurationSecrets }): Promise<Rewrapped> {
  return rotateKeys(dependencies, 'storage configurations', [configurationRotation(secrets)]);
}
