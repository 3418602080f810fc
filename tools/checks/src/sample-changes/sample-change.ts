/** A sample of one kind of change: what CONTRIBUTING.md says that it touches, as edits. */
export interface SampleChange {
  /** The name of its row in CONTRIBUTING.md. */
  readonly row: string;
  /** Edits of existing files; each file is listed in the row. */
  readonly edits: readonly Edit[];
  /** New files, by path: the folders of their own that the row names. */
  readonly creates?: Readonly<Record<string, string>>;
}

export interface Edit {
  /** Path from the root. */
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** An edit that puts lines behind a text that occurs once in the file. */
export function after(file: string, find: string, lines: string): Edit {
  return { file, find, replace: `${find}${lines}` };
}

/** An edit that puts lines in front of a text that occurs once in the file. */
export function before(file: string, find: string, lines: string): Edit {
  return { file, find, replace: `${lines}${find}` };
}
