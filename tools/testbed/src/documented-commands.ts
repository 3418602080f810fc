/** A shell block of a page. */
export interface ShellBlock {
  /** Of its first command, from 1. */
  readonly line: number;
  readonly text: string;
  /** Why no test runs it, from its fence (```sh no-run REASON); null: it runs. */
  readonly notRunBecause: string | null;
}

const fence = /^( *)```(?:sh|bash)(?: no-run(?: (.+))?)?\n([^]*?)^\1```$/gm;

/** Every shell block of a page, also inside a list. Throws for a block that is not run and states no reason. */
export function shellBlocks(markdown: string): ShellBlock[] {
  return [...markdown.matchAll(fence)].map(([whole, indent = '', reason, text = ''], index) => {
    const line = markdown.slice(0, markdown.indexOf(whole)).split('\n').length + 1;
    const isRun = !/^ *```\w+ no-run/.test(whole);
    if (!isRun && reason === undefined) throw new Error(`Shell block ${index + 1} is not run and states no reason.`);
    return { line, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), notRunBecause: reason ?? null };
  });
}

/** The code blocks of one language in a page, one command per line of a shell block, and per block of any other. */
export function documentedCommands(markdown: string, language: string): string[] {
  const blocks = [...markdown.matchAll(/^```(\w+)\n([^]*?)^```/gm)].filter(([, found]) => found === language);
  const texts = blocks.map(([, , text = '']) => text.trim());
  return language === 'sh' ? texts.flatMap((text) => text.split('\n')) : texts;
}
