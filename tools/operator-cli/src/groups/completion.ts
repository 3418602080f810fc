import type { CommandDefinition, CommandGroup } from '../command.ts';
import { one } from '../command.ts';
import { UsageError } from '../sentences.ts';
import { program } from '../program.ts';

const print = (groups: readonly CommandGroup[]): CommandDefinition => ({
  summary: 'print the completion script of a shell: bash or zsh',
  example: 'completion bash',
  operands: '[shell]',
  run: async ({ operands }) => {
    const shell = one(operands, `For which shell? ${program} completion bash (or zsh).`);
    if (shell !== 'bash' && shell !== 'zsh')
      throw new UsageError(`There is completion for bash and zsh, not for ${shell}.`);
    const script = bashScript(groups);
    const text = shell === 'bash' ? script : `autoload -U +X bashcompinit && bashcompinit\n${script}`;
    return { text, data: { shell, script: text } };
  },
});

/** For the program `rapporteur`; inside the repository: `alias rapporteur='npm run -s rapporteur --'`. */
function bashScript(groups: readonly CommandGroup[]): string {
  const cases = groups.map(({ noun, commands }) => {
    const verbs = Object.keys(commands).filter((verb) => verb !== '');
    const flags = Object.values(commands).flatMap(({ options = {} }) =>
      Object.keys(options).map((flag) => flag.split(' ')[0]),
    );
    return `    ${noun}) words="${[...verbs, ...new Set(flags)].join(' ')}" ;;`;
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

/** @param others completed beside it */
export function completionOf(others: readonly CommandGroup[]): CommandGroup {
  const own = { noun: 'completion', summary: 'completion for shells' };
  return { ...own, commands: { '': print([...others, { ...own, commands: {} }]) } };
}
