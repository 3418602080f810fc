import type { PagePack } from '@rapporteur/contracts';
import { TextMatcher } from '../page-packs/index.ts';
import type { CaptionControls, DialogKind, KnownDialog, PageClient, PageElement } from './page-client.ts';
import type { PageSnapshot } from './page-state.ts';

type PackParts =
  | 'packVersion'
  | 'elements'
  | 'dialogs'
  | 'dialogKinds'
  | 'dialogRegion'
  | 'participantsText'
  | 'captions';

/** The parts of a platform's client that are data. */
export function clientPartsOf({
  version,
  elements,
  dialogs,
  dialogKinds,
  page,
  captions,
}: PagePack): Pick<Required<PageClient<PageSnapshot>>, PackParts> {
  return {
    packVersion: version,
    elements,
    dialogs: dialogs.map(knownDialogOf),
    dialogKinds: dialogKinds.map(dialogKindOf),
    dialogRegion: String(page['dialogs']),
    participantsText: String(page['participantsText']),
    captions: captionControlsOf(captions),
  };
}

function knownDialogOf({ what, text, buttons, buttonsWithDevices }: PagePack['dialogs'][number]): KnownDialog {
  const matcher = new TextMatcher(text);
  return { what, text: matcher, buttons, ...(buttonsWithDevices === undefined ? {} : { buttonsWithDevices }) };
}

function dialogKindOf({ what, text, buttons = [], press = [] }: PagePack['dialogKinds'][number]): DialogKind {
  const said = text === undefined ? null : new TextMatcher(text);
  const needed = buttons.map((names) => new TextMatcher(names));
  const pressed = new TextMatcher(press);
  const isOffer = what === 'offer-to-act';
  const pressOf: DialogKind['press'] = (dialog) => dialog.buttons.find((name) => pressed.test(name));
  return {
    what,
    isOffer,
    applies: (dialog) =>
      (said === null || said.test(dialog.text)) &&
      needed.every((names) => dialog.buttons.some((name) => names.test(name))) &&
      // A kind whose button is missing leaves the dialog to the next one; an offer is left to none.
      (isOffer || pressOf(dialog) !== undefined),
    press: pressOf,
  };
}

/** Reading a pack confirms that its captions name elements of the pack. */
function captionControlsOf({ regions, turnOn, language, ...others }: PagePack['captions']): CaptionControls {
  return {
    ...others,
    turnOn: turnOn as CaptionControls['turnOn'],
    language:
      language === null
        ? null
        : { ...language, open: language.open as PageElement[], close: language.close as PageElement },
    languageTag: regions === null ? null : (wanted) => tagWithRegion(wanted, regions),
  };
}

function tagWithRegion(language: string, regions: Readonly<Record<string, string>>): string {
  const tag = language.toLowerCase();
  return tag.includes('-') ? tag : `${tag}-${regions[tag] ?? tag}`;
}

/** The texts of a pack by the name of their rule. Throws for a name that the pack lacks. */
export function textsOf(pack: PagePack): (name: string) => TextMatcher {
  return (name) => {
    const patterns = pack.texts[name];
    if (patterns === undefined) throw new Error(`The page pack of ${pack.platform} has no texts ${name}.`);
    return new TextMatcher(patterns);
  };
}
