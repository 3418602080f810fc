/**
 * Existing import cycles between feature folders of an app. The list only shrinks: a pair without a cycle has to be
 * removed.
 */
export const acceptedFolderCycles: Readonly<Record<string, readonly string[]>> = {
  'apps/bot-scheduler/src': [
    'admission -> stored-credentials',
    'lifecycle -> commands',
    'lifecycle -> leases',
    'lifecycle -> scheduled',
    'lifecycle -> transcription',
    'secrets -> admission',
    'transcription -> admission',
  ],
  'apps/delivery/src': ['messages -> legacy'],
};
