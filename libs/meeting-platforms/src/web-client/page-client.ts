import type { Frame, Page } from 'playwright-core';
import type { PagePack } from '@rapporteur/contracts';
import { TextMatcher } from '../page-packs/index.ts';
import type { PageReading, PageSnapshot } from './page-state.ts';

/** The elements that a bot presses or fills. An element that a platform lacks has no selectors. */
export type PageElement =
  | 'continueInBrowser'
  | 'nameField'
  | 'passcodeField'
  /** The button of a microphone that is on: pressed, it is off. */
  | 'microphoneOn'
  | 'microphoneOff'
  | 'cameraOn'
  | 'cameraOff'
  | 'joinButton'
  | 'leave'
  | 'confirmLeave'
  | 'participantsButton'
  | 'chatButton'
  | 'chatInput'
  | 'chatSend'
  /** Opened before the control of captions is visible. */
  | 'captionsMenu'
  | 'captionsSubmenu'
  | 'captionsOn'
  | 'captionLanguage'
  | 'captionsConfirm'
  | 'settingsMenu'
  | 'settingsItem'
  | 'captionSettings'
  | 'settingsClose'
  /** The menu that holds the two after it, and the control that stops receiving others' videos, in its two states. */
  | 'moreControls'
  | 'stopIncomingVideo'
  | 'startIncomingVideo';

/** A dialog that may cover the call, and the buttons that dismiss it. */
export interface KnownDialog {
  readonly text: { test(text: string): boolean };
  readonly what: string;
  /** Playwright selectors inside the dialog; the first that is visible is pressed. */
  readonly buttons: readonly string[];
  /** Pressed before those when the bot brings a microphone or a camera. */
  readonly buttonsWithDevices?: readonly string[];
}

/** Dialogs that are recognised by their text, by the names of their buttons or by both. */
export interface DialogKind {
  readonly what: string;
  /** It offers to act in the meeting; never more than declined. */
  readonly isOffer: boolean;
  applies(dialog: { readonly text: string; readonly buttons: readonly string[] }): boolean;
  /** Name of the button to press; undefined: it has none. */
  press(dialog: { readonly buttons: readonly string[] }): string | undefined;
}

/**
 * Controls that turn captions on, as data. `startCaptions(language)` of the page script's driver, if any, comes first.
 */
export interface CaptionControls {
  /** Pressed in this order; an optional element is skipped where it is not shown. */
  readonly turnOn: readonly {
    readonly element: PageElement;
    readonly optional?: true;
    /** A field that takes the English name of the language; skipped where none is requested. */
    readonly takesLanguage?: true;
  }[];
  /** Keys that also turn captions on, for pages whose control has another name. */
  readonly keys: readonly string[];
  /** CSS: in the document only while captions are on. */
  readonly shown: string;
  /** CSS: what shows the captions' text, and nothing else. It is made invisible. */
  readonly strip: string;
  /** Language tags as the platform writes them, for `startCaptions`; null where that takes none. */
  readonly languageTag: ((language: string) => string) | null;
  /** Where the viewer's language is chosen; null: not by this page. */
  readonly language: CaptionLanguageControls | null;
}

export interface CaptionLanguageControls {
  readonly open: readonly PageElement[];
  /** CSS of the entries, and the attribute that holds their language. */
  readonly option: string;
  readonly attribute: string;
  readonly close: PageElement;
}

/** A platform's web client as data and pure functions: the selectors of its page and the meaning of its snapshots. */
export interface PageClient<S extends PageSnapshot> {
  /** Version of the page pack that `elements`, `dialogs` and `captions` are from. */
  readonly packVersion: string;
  /** Playwright selectors per element, what changes rarely first. */
  readonly elements: Readonly<Partial<Record<PageElement, readonly string[]>>>;
  readonly dialogs: readonly KnownDialog[];
  /** Kinds of the dialogs that `dialogs` does not know; the first that applies counts. */
  readonly dialogKinds?: readonly DialogKind[];
  /** Playwright selector of the regions that are dialogs. */
  readonly dialogRegion: string;
  /** CSS of the regions whose text is written by participants or contains their names. */
  readonly participantsText: string;
  /** Name of the page script's global with `snapshot()`. */
  readonly driverName: string;
  /** UTF-16 units that the name field takes. */
  readonly longestName: number;
  /** UTF-16 units that one chat message takes. */
  readonly longestMessage: number;
  /** The address to open for a canonical join URL. */
  openAddress(joinUrl: string): string;
  /** The passcode of a join URL, for pages that require it nevertheless. */
  passcodeOf?(joinUrl: string): string | null;
  /** Pages that do not update by themselves, by their rule: the meeting is opened again at this interval. */
  readonly reopens?: { readonly rule: string; readonly everyMs: number };
  /** The page shows others' messages only while the chat panel is open, so it stays open. */
  readonly chatStaysOpen?: boolean;
  /** Set where the bot requests permission before it records: the page script's driver has `requestRecording()`. */
  readonly recordingRight?: { given(snapshot: S): boolean };
  /** Absent: the platform has no captions that are read. */
  readonly captions?: CaptionControls;
  /** The text without secrets, for logs. */
  conceal?(text: string): string;
  read(snapshot: S): PageReading;
  /** The snapshot of a page without a running script. */
  emptySnapshot(host: string): S;
  /** The frame that holds the client, where that is not the page itself. */
  frameOf?(page: Page): Frame;
}

/** The interface of a platform's script in the page, under the client's `driverName`. */
export interface PageScriptDriver<S> {
  snapshot(): S;
  /** Turns captions on through the client's own objects, in this language; false: not available. */
  startCaptions?(language: string | null): boolean;
}

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
