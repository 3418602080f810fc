/** Labels of the API's fields in the forms of this page. */
const labels: Readonly<Record<string, string>> = {
  meeting_url: 'Meeting link',
  bot_name: 'Name of the bot',
  join_at: 'Joins at',
  entry_message: 'Message in the chat',
  url: 'Address',
  endpoint: 'Address',
  name: 'Name',
  expires_at: 'Expires on',
  provider: 'Transcription',
  email: 'Email',
  domain: 'Domain',
};

const words: readonly (readonly [RegExp, string])[] = [
  [/^must match format "uri"$/, 'is not a complete address'],
  [/^must match format "date-time"$/, 'is not a time'],
  [/^must match format "email"$/, 'is not an email address'],
  [/^must NOT have more than (\d+) characters$/, 'has more than $1 characters'],
  [/^must NOT have fewer than \d+ characters$/, 'is empty'],
  [/^must be object$|^must be string$|^must be integer$/, 'has a wrong form'],
];

/** Messages longer than the API's are shown unchanged. */
const longest = 4_000;

/**
 * Rewrites the API's validation message with the form's labels: `body/meeting_url must match format "uri"` is `Meeting
 * link is not a complete address.` One sentence for each field; any other text is returned unchanged.
 */
export function problemText(message: string): string {
  if (message.length > longest || !/^\/?(?:body|query|path)\//.test(message)) return message;
  const byField = new Map<string, string>();
  for (const problem of message.split(/, (?=\/?(?:body|query|path)\/)/)) {
    const [place = '', ...rest] = problem.split(' ');
    const field = place.replace(/:$/, '').split('/').at(-1) ?? '';
    if (!byField.has(field)) byField.set(field, `${labelOf(field)} ${plainWords(rest.join(' '), place.endsWith(':'))}`);
  }
  return [...byField.values()].join(' ');
}

function labelOf(field: string): string {
  const label = labels[field] ?? field.replaceAll('_', ' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function plainWords(text: string, isSentence: boolean): string {
  if (isSentence) return `: ${text}`.replace(/^: It /, '');
  const [known] = words.filter(([pattern]) => pattern.test(text));
  const plain = known === undefined ? text : text.replace(known[0], known[1]);
  return plain.endsWith('.') ? plain : `${plain}.`;
}
