/** Patterns that the check refuses and that are accepted, each with the reason why no external text makes them slow. */
export const acceptedPatterns: readonly { readonly path: string; readonly pattern: string; readonly why: string }[] = [
  {
    path: 'libs/process-identity/src/process-memory.ts',
    pattern: "new RegExp(`^${name}:\\\\s+(\\\\d+) kB$`, 'm')",
    why: 'The name is a literal of this file and the text is a file of /proc.',
  },
  {
    path: 'libs/meeting-platforms/src/teams/teams-platform.ts',
    pattern: "new RegExp(`[\"'](${appSchemes.join('|')}):`, 'i')",
    why: 'The schemes are literals without repetitions.',
  },
  {
    path: 'apps/calendar-sync/src/links/passcodes.ts',
    pattern:
      "new RegExp(\n  String.raw`(?:${words})[^\\S\\n]{0,3}(?:\\([^()\\n]{0,40}\\)\\s{0,3})?([:：=–-]|\\b(?:is|ist|est|es|è)\\b)?\\s{0,5}${code}`,\n  'giu',\n)",
    why: 'The words are literals. The text is bounded to 20,000 characters, and a test measures it.',
  },
  {
    path: 'apps/calendar-sync/src/links/passcodes.ts',
    pattern:
      "new RegExp(\n  String.raw`^[\\s,;|·()/-]{0,20}(?:[^\\d\\s:：=/|][^\\d:：=/|]{0,40}[:：=]\\s{0,5}|(?<=[/|]\\s{0,3}))${code}`,\n  'u',\n)",
    why: 'Anchored at the beginning of 400 characters.',
  },
  {
    path: 'apps/calendar-sync/src/links/passcodes.ts',
    pattern: "new RegExp(`(?<!\\\\d)${number.split('').join('[ \\\\u00a0-]?')}(?!\\\\d)`, 'g')",
    why: 'The number has at most 15 digits, each with one separator at most.',
  },
  {
    path: 'libs/speech-to-text/src/transcript.ts',
    pattern: "new RegExp(`[${unspaced}]\\\\p{M}*$`, 'u')",
    why: 'The scripts are literals, and the last eight characters of a word are read.',
  },
  {
    path: 'libs/speech-to-text/src/transcript.ts',
    pattern: "new RegExp(`^[${unspaced}]`, 'u')",
    why: 'The scripts are literals, and one character is read.',
  },
];
