/** A code block of a page. */
export interface CodeBlock {
  /** The number of its first line, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Why no test runs it, from its fence (```sh no-run REASON); null: it runs. */
  readonly notRunBecause: string | null;
}

const fence = /^( *)```(\w+)( no-run)?(?: (.+))?\n([^]*?)^\1```$/gm;

/** Every code block of a page, also inside a list. Throws for a block that is not run and states no reason. */
export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(fence)].map(([whole, indent = '', language = '', noRun, reason, text = ''], index) => {
    const line = markdown.slice(0, markdown.indexOf(whole)).split('\n').length + 1;
    if (noRun !== undefined && reason === undefined)
      throw new Error(`Code block ${index + 1} is not run and states no reason.`);
    const notRunBecause = noRun === undefined ? null : (reason ?? null);
    return { line, language, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), notRunBecause };
  });
}

/** Those that a shell reads. */
export function shellBlocks(markdown: string): CodeBlock[] {
  return codeBlocks(markdown).filter(({ language }) => language === 'sh' || language === 'bash');
}

/** The blocks of one language that are run, one command per line of a shell block, and per block of any other. */
export function documentedCommands(markdown: string, language: string): string[] {
  const blocks = codeBlocks(markdown).filter((block) => block.language === language && block.notRunBecause === null);
  const texts = blocks.map(({ text }) => text.trim());
  return language === 'sh' ? texts.flatMap((text) => text.split('\n')) : texts;
}
