/** The code blocks of one language in a page, one command per line of a shell block, and per block of any other. */
export function documentedCommands(markdown: string, language: string): string[] {
  const blocks = [...markdown.matchAll(/^```(\w+)\n([^]*?)^```/gm)].filter(([, found]) => found === language);
  const texts = blocks.map(([, , text = '']) => text.trim());
  return language === 'sh' ? texts.flatMap((text) => text.split('\n')) : texts;
}
