import type { DirectPartRequest } from '@rapporteur/contracts';

/** Uploads media to the object store directly, not through storage-config. */
export interface DirectUploads {
  /**
   * Sends a fragment and commits it. @returns false when it has to go through storage-config
   * @throws GrantRefused, or Error when the commit may succeed later
   */
  sendFragment(fragment: DirectFragment, signal: AbortSignal): Promise<boolean>;
  /** @returns false when it has to go through storage-config. @throws GrantRefused, UploadGone */
  sendPart(part: DirectPart, bytes: Buffer, signal: AbortSignal): Promise<boolean>;
}

export interface DirectFragment {
  readonly key: string;
  readonly bytes: Buffer;
  readonly contentType: string;
}

export type DirectPart = Pick<DirectPartRequest, 'key' | 'upload' | 'part'>;
