import type { CommandDefinition } from '../command.ts';
import { tableOf } from '../sentences.ts';

/** `pages status`: of a deployment, where the other commands of the group need none. */
export const pageStatus: CommandDefinition = {
  summary: 'which page packs the bots use, what was refused or taken back, and which pages were not recognised',
  example: 'pages status',
  run: async ({ api }) => {
    const data = await api.readPagePacks();
    const table = tableOf(
      ['PLATFORM', 'STATE', 'VERSION', 'SHARE', 'BEFORE', 'SINCE'],
      data.platforms.map((one) => [
        one.platform,
        one.state,
        one.version,
        one.share === null ? '' : `${one.share} %`,
        one.previous_version ?? '',
        one.accepted_at ?? '',
      ]),
    );
    const suspended = data.platforms.flatMap(({ suspended: taken }) =>
      taken === null ? [] : [`Taken back at ${taken.at}: ${taken.message}`],
    );
    const refused = data.refused === null ? [] : [`Refused at ${data.refused.at}: ${data.refused.message}`];
    const unknown = data.unrecognised.map(({ platform, kind, shape, bots, last, said, examples, entry }) => [
      platform,
      kind,
      shape,
      String(bots),
      last,
      said ?? '',
      entry === null ? '' : `${entry.rule}: ${entry.text}`,
      examples.map(({ bot_id, page }) => `${bot_id}/${page}`)[0] ?? '',
    ]);
    const head = ['PLATFORM', 'KIND', 'SHAPE', 'BOTS', 'LAST', 'THE PAGE SAYS', 'TRY', 'KEPT PAGE'];
    const pages = unknown.length === 0 ? [] : ['Pages that were not recognised', tableOf(head, unknown)];
    return { text: [table, ...suspended, ...refused, ...pages].join('\n\n'), data, failed: refused.length > 0 };
  },
};
