import type { MeetingPlatformName, PackState, PagePack } from '@rapporteur/contracts';
import kinds from '../../packs/kinds.json' with { type: 'json' };
import meet from '../../packs/meet.json' with { type: 'json' };
import teams from '../../packs/teams.json' with { type: 'json' };
import zoom from '../../packs/zoom.json' with { type: 'json' };

interface BuiltIn {
  readonly pack: PagePack;
  /** Parts of its `page` that are no selectors: names of attributes, classes and icons, and labels. */
  readonly names: readonly string[];
}

/** A group of states that all platforms share, in place of its name. */
type StatesOfFile = readonly (PackState | { readonly kinds: keyof typeof kinds.states })[];

const shared = kinds.states as Readonly<Record<keyof typeof kinds.states, readonly PackState[]>>;

function withKinds(pack: Omit<PagePack, 'states' | 'dialogKinds'> & { readonly states: StatesOfFile }): PagePack {
  return {
    ...pack,
    states: pack.states.flatMap((entry) => ('kinds' in entry ? shared[entry.kinds] : [entry])),
    dialogKinds: kinds.dialogKinds,
    texts: { ...kinds.texts, ...pack.texts },
  };
}

const builtIn: Readonly<Record<MeetingPlatformName, BuiltIn>> = {
  meet: {
    pack: withKinds(meet as Parameters<typeof withKinds>[0]),
    names: ['tileId', 'chatRowId', 'screenLabels', 'effectsIcon', 'leaveIcon', 'speakingClasses', 'quietClasses'],
  },
  teams: { pack: withKinds(teams as Parameters<typeof withKinds>[0]), names: ['chatRowId', 'speakingClass'] },
  zoom: { pack: withKinds(zoom as Parameters<typeof withKinds>[0]), names: [] },
};

/** This build's description of the platform's page. Tests read it with the schema; a run spends no time on that. */
export function builtInPagePack(platform: MeetingPlatformName): PagePack {
  return builtIn[platform].pack;
}

/** True for a part of the pack's `page` that is no selector. */
export function isNameInPage(platform: MeetingPlatformName, part: string): boolean {
  return builtIn[platform].names.includes(part);
}
