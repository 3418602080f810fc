import type { CommandDefinition, CommandGroup } from '../command.ts';
import { one } from '../command.ts';
import { UsageError } from '../sentences.ts';
import { program } from '../program.ts';

const print = (groups: readonly CommandGroup[]): CommandDefinition => ({
  summary: 'print the completion script of a shell: bash, zsh or fish',
  example: 'completion bash',
  operands: '[shell]',
  run: async ({ operands }) => {
    const shell = one(operands, `For which shell? ${program} completion bash (or zsh, fish).`);
    const script = scripts[shell];
    if (script === undefined) throw new UsageError(`There is completion for bash, zsh and fish, not for ${shell}.`);
    const text = script(groups);
    return { text, data: { shell, script: text } };
  },
});

const scripts: Readonly<Record<string, (groups: readonly CommandGroup[]) => string>> = {
  bash: bashScript,
  zsh: (groups) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(groups)}`,
  fish: fishScript,
};

/** Verbs and flags of a group; a verb of several words is completed word by word. */
function wordsOf({ commands }: CommandGroup): { readonly verbs: string[]; readonly flags: string[] } {
  const verbs = Object.keys(commands).flatMap((verb) => verb.split(' ').filter((word) => word !== ''));
  const flags = Object.values(commands).flatMap(({ options = {} }) =>
    Object.keys(options).map((flag) => flag.split(' ')[0] ?? ''),
  );
  return { verbs: [...new Set(verbs)], flags: [...new Set(flags)] };
}

/** For the program `rapporteur`; inside the repository: `alias rapporteur='npm run -s rapporteur --'`. */
function bashScript(groups: readonly CommandGroup[]): string {
  const cases = groups.map((group) => {
    const { verbs, flags } = wordsOf(group);
    return `    ${group.noun}) words="${[...verbs, ...flags].join(' ')}" ;;`;
  });
  return [
    '_rapporteur() {',
    '  local words',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    `  [ "$COMP_CWORD" = 1 ] && words="${groups.map(({ noun }) => noun).join(' ')}"`,
    '  COMPREPLY=($(compgen -W "$words --json --help" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -F _rapporteur rapporteur',
  ].join('\n');
}

function fishScript(groups: readonly CommandGroup[]): string {
  const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  return [
    'complete -c rapporteur -f',
    'complete -c rapporteur -l json -d "print JSON, for programs"',
    ...groups.flatMap((group) => {
      const { verbs, flags } = wordsOf(group);
      const within = `complete -c rapporteur -n ${quoted(`__fish_seen_subcommand_from ${group.noun}`)}`;
      return [
        `complete -c rapporteur -n __fish_use_subcommand -a ${group.noun} -d ${quoted(group.summary)}`,
        ...(verbs.length === 0 ? [] : [`${within} -a ${quoted(verbs.join(' '))}`]),
        ...flags.map((flag) => `${within} -l ${flag.replace(/^-+/, '')}`),
      ];
    }),
  ].join('\n');
}

/** @param others completed beside it */
export function completionOf(others: readonly CommandGroup[]): CommandGroup {
  const own = { noun: 'completion', summary: 'completion for shells' };
  return { ...own, commands: { '': print([...others, { ...own, commands: {} }]) } };
}
