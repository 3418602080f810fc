/** A problem found by `parseArgs` of node:util, as a sentence. */
export function commandLineProblem(error: unknown): string {
  const { code, message } = error as Error & { code?: string };
  const option = /'(?:-\w, )?(-[^' ]*)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option ${option}.`;
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') {
    return `The argument ${/'([^']*)'/.exec(message)?.[1] ?? ''} is not an option.`;
  }
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return message;
  return message.includes('does not take an argument') ? `${option} takes no value.` : `${option} needs a value.`;
}
