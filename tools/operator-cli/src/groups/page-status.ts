import type { CommandDefinition } from '../command.ts';
import { tableOf } from '../sentences.ts';

/** `pages status`: of a deployment, where the other commands of the group need none. */
export const pageStatus: CommandDefinition = {
  summary: 'which page packs the bots of the deployment use, and what was refused or taken back',
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
    return { text: [table, ...suspended, ...refused].join('\n\n'), data, failed: refused.length > 0 };
  },
};
