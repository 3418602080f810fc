const routes: readonly (readonly [RegExp, string])[] = [
  [/^admin\.POST \/teams$/, 'Create the team'],
  [/^admin\.PATCH \/teams\/:team_id$/, 'Change the team'],
  [/^admin\.POST \/teams\/:team_id\/keys$/, 'Create an API key'],
  [/^admin\.POST \/teams\/:team_id\/tokens$/, 'Grant tokens'],
];

/** Text for an operation of the audit log: `createBot` is `Create bot`. */
export function actionText(action: string): string {
  const route = routes.find(([pattern]) => pattern.test(action));
  if (route !== undefined) return route[1];
  if (!/^[a-z][A-Za-z]*$/.test(action)) return action;
  const words = action.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace(' api ', ' API ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
