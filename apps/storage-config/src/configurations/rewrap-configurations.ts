import { rotateKeys, rotationOf } from '@rapporteur/secret-box';
import type { Rewrapped, Rotation, RotationDependencies } from '@rapporteur/secret-box';
import type { StorageConfigRow } from '../schema/team-storage-entities.ts';
import type { ConfigurationSecrets } from './configuration-secrets.ts';

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
