/** Patterns that the check refuses and that are accepted, each with the reason why no external text makes them slow. */
export const acceptedPatterns: readonly { readonly path: string; readonly pattern: string; readonly why: string }[] = [
  {
    path: 'libs/process-identity/src/process-memory.ts',
    pattern: "new RegExp(`^${name}:\\\\s+(\\\\d+) kB$`, 'm')",
    why: 'The name is a literal of this file and the text is a file of /proc.',
  },
  {
    path: 'libs/meeting-platforms/src/web-client/app-frames.ts',
    pattern: "new RegExp(`[\"'](${appSchemes.join('|')}):`, 'i')",
    why: 'The schemes are literals without repetitions.',
  },
];
