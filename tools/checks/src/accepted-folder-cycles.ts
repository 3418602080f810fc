/**
 * Imports from one feature folder of an app to another that close a cycle and are still there. The list only shrinks: a pair that
 * closes no cycle any more has to go.
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
