/** A word that the repository does not use, and the term in its place (docs/glossary.md). */
export interface RefusedWord {
  /** Alternatives, as a regular expression without anchors. Names are compared by their parts, prose by whole words. */
  readonly words: string;
  readonly use: string;
  /**
   * `name`: identifiers and file names only, because the word is plain English in prose. `anywhere`: these, comments and
   * documents. `sentences`: comments, documents, strings of several words and the contracts. `everywhere`: all of these.
   */
  readonly where: 'name' | 'anywhere' | 'sentences' | 'everywhere';
}

export const refusedWords: readonly RefusedWord[] = [
  { words: 'pictures?', use: 'video, frame or image', where: 'anywhere' },
  { words: 'sounds?', use: 'audio', where: 'anywhere' },
  { words: 'voices', use: 'speech', where: 'name' },
  { words: 'persons?|people|companions?|company', use: 'participant', where: 'name' },
  { words: 'ways?', use: 'capture strategy', where: 'name' },
  { words: 'pieces?', use: 'fragment, or chunk where no recording is meant', where: 'anywhere' },
  { words: 'growing (?:files?|objects?|artifacts?)', use: 'multipart upload', where: 'anywhere' },
  { words: 'way back|ways back', use: 'rejoin', where: 'anywhere' },
  { words: 'visitors?|lasting visits?', use: 'MeetingSession, client', where: 'anywhere' },
  { words: 'front doors?|page doors?', use: 'entry point, page driver', where: 'anywhere' },
  { words: 'doors?|eyes|hands', use: 'page driver, locator or input', where: 'name' },
  { words: 'doorbells?|bells?', use: 'notification', where: 'anywhere' },
  { words: 'rings|rang|rung', use: 'notify, notification', where: 'name' },
  { words: 'upkeep|mends?|mending|mended', use: 'recovery, repair', where: 'anywhere' },
  { words: 'bury|buried|declare[ds]? dead', use: 'lease expired, mark as failed', where: 'anywhere' },
  { words: 'tellers?', use: 'server', where: 'anywhere' },
  { words: 'lanes?', use: 'partition', where: 'anywhere' },
  { words: 'occasions?', use: 'trigger, attempt', where: 'name' },
  { words: 'rigs?', use: 'fixture or harness', where: 'anywhere' },
  { words: 'obeys?|obeyed|heeds?|desks?', use: 'handle, dispatch', where: 'anywhere' },
  { words: 'first platform', use: 'Zoom', where: 'anywhere' },
  { words: 'alpha', use: 'zoom', where: 'name' },
  { words: 'spent', use: 'resource usage', where: 'name' },
  { words: 'unveils?|unveiled|unveiling', use: 'show, reveal', where: 'anywhere' },
  { words: 'silence limits?', use: 'idle timeout', where: 'anywhere' },
  { words: 'ears?|untold|unsaid', use: 'input or recognizer, unknown, not played', where: 'name' },
  { words: 'nobody|somebody|whoever', use: 'participant, user, caller, or the passive voice', where: 'everywhere' },
  { words: 'knock(?:s|ed|ing)?', use: 'request to join', where: 'everywhere' },
  { words: 'hears?|heard|hearing', use: 'receive, has audio, or speech', where: 'everywhere' },
  { words: 'tells?|telling|told', use: 'report, notify, state or distinguish', where: 'everywhere' },
  { words: 'hopeless', use: 'permanent', where: 'everywhere' },
  { words: 'patience', use: 'timeout or deadline', where: 'everywhere' },
  { words: 'wish(?:es|ed)?', use: 'options, request or change', where: 'everywhere' },
  { words: 'greet(?:s|ed|ing|ings)?', use: 'handshake, or entry message', where: 'everywhere' },
  { words: 'go on|goes on', use: 'continue', where: 'name' },
  { words: 'lets? go', use: 'release', where: 'name' },
  { words: 'comes? back|came back', use: 'rejoin, or reconnect', where: 'name' },
  { words: 'looks?(?! up)', use: 'poll, probe or read', where: 'name' },
  { words: '(?:did|does|do) not answer', use: 'did not respond, or the event', where: 'sentences' },
  { words: '/[*][*] (?:of|by|only of|only with)', use: 'a subject: what the value is', where: 'sentences' },
  { words: 'stands?|stood', use: 'is, stalls, replaces or means', where: 'sentences' },
];

/** Terms of standards, of other systems and of the wire format that contain a refused word. */
export const acceptedTerms: readonly RegExp[] = [
  /profile[-_ ]?picture/gi,
  /picture[- ]in[- ]picture/gi,
  /picture[- ]?(?:loss|parameter[- ]?sets?|id)\w*/gi,
  // The wire format of the specification writes `alpha` for Zoom; a pixel has an alpha value.
  /\b_?alpha(?:_\w+|_\$1)?\b|\bALPHA_\w+|\w*_ALPHA_\w+|\balpha(?:At|OfColor)\b/g,
  /FLITE_VOICES/g,
  // A function of company-email-validator.
  /isCompanyDomain/g,
  // Texts of the platforms' pages, and of synthetic participants.
  /nobody let you in|\bhear you\b/g,
  /could somebody please|driver told me|could not hear the sound/g,
  // Names of Teams' page and of Meet's protocol.
  /voice-level-stream-outline|PeopleAndChat/g,
];
