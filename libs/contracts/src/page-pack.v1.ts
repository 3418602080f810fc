import { z } from 'zod';
import { refusalCauses } from './refusals.ts';
import { meetingPlatform } from './shapes.ts';

/** Limits of a page pack: texts in UTF-16 units, lists in entries. */
export const pagePackLimits = {
  version: 64,
  name: 64,
  names: 128,
  selector: 1_000,
  pattern: 300,
  list: 64,
  dialogs: 32,
  states: 96,
} as const;

const version = z
  .string()
  .max(pagePackLimits.version)
  .regex(/^[0-9A-Za-z][0-9A-Za-z._-]*$/, 'A version has letters, digits, dots, dashes and underscores only.');
const name = z.string().min(1).max(pagePackLimits.name);
const selector = z.string().min(1).max(pagePackLimits.selector);
const selectors = z.array(selector).min(1).max(pagePackLimits.list);
const pattern = z.string().min(1).max(pagePackLimits.pattern);

/** RE2 syntax, case-insensitive. With `unless`: a match of `match` that is no part of a match of `unless`. */
export const textPattern = z.union([pattern, z.strictObject({ match: pattern, unless: pattern })]);
export type TextPattern = z.infer<typeof textPattern>;
const patterns = z.array(textPattern).min(1).max(pagePackLimits.list);

/** A dialog that may cover the page, and the buttons that dismiss it: the first that is visible is pressed. */
export const knownDialog = z.strictObject({
  what: name,
  text: patterns,
  buttons: selectors,
  /** Pressed before those when the bot brings a microphone or a camera. */
  buttonsWithDevices: selectors.optional(),
});
export type KnownDialog = z.infer<typeof knownDialog>;

/**
 * The state of a page by one of its texts or marks. `where` a text counts: mark: nowhere; notice, the default: notices,
 * and everything outside of a call; dialog: in dialogs too; page: outside of a call; any: everything; sentence: a sentence of a page that shows
 * neither a call nor a form; waiting: the same, and notices of a call.
 */
export const packState = z.strictObject({
  rule: name,
  state: name,
  where: z.enum(['mark', 'notice', 'dialog', 'page', 'any', 'sentence', 'waiting']).optional(),
  cause: z.enum(refusalCauses).optional(),
  /** The state counts once the page has shown it for this long. */
  afterMs: z.int().positive().optional(),
});
export type PackState = z.infer<typeof packState>;

/**
 * A dialog that is recognised by its text, its buttons or both. `press`: the name of the button that dismisses it;
 * absent: it is reported, and nothing is pressed.
 */
export const dialogKind = z.strictObject({
  what: name,
  text: patterns.optional(),
  /** One button each has to have such a name. */
  buttons: z.array(patterns).max(pagePackLimits.list).optional(),
  press: patterns.optional(),
});
export type DialogKind = z.infer<typeof dialogKind>;

/** Controls that turn captions on. */
const packCaptions = z.strictObject({
  /** Pressed in this order; an optional element is skipped where it is not shown. */
  turnOn: z
    .array(
      z.strictObject({
        element: name,
        optional: z.literal(true).optional(),
        /** A field that takes the English name of the language; skipped where none is requested. */
        takesLanguage: z.literal(true).optional(),
      }),
    )
    .min(1)
    .max(pagePackLimits.list),
  /** Keys that also turn captions on, for pages whose control has another name. */
  keys: z.array(name).max(pagePackLimits.list),
  /** CSS: in the document only while captions are on. */
  shown: selector,
  /** CSS: what shows the captions' text, and nothing else. It is made invisible. */
  strip: selector,
  /** Where the viewer's language is chosen; null: not by this page. */
  language: z
    .strictObject({
      open: z.array(name).min(1).max(pagePackLimits.list),
      /** CSS of the entries, and the attribute that holds their language. */
      option: selector,
      attribute: name,
      close: name,
    })
    .nullable(),
  /** The region that a language without one is written with, by language; null: languages are written as given. */
  regions: z.record(z.string().max(8), z.string().max(8)).nullable(),
});
export type PackCaptions = z.infer<typeof packCaptions>;

/** What is known of a platform's page, as data. */
export const pagePack = z.strictObject({
  format: z.literal(1),
  platform: meetingPlatform,
  version,
  /** Playwright selectors of each element that a bot presses or fills, what changes rarely first. */
  elements: z.record(name, selectors),
  /** Plain CSS, attributes and classes for the script in the page. */
  page: z.record(name, z.union([selector, selectors])),
  dialogs: z.array(knownDialog).max(pagePackLimits.dialogs),
  /** Kinds of dialogs that `dialogs` does not know; the first kind that applies counts. */
  dialogKinds: z.array(dialogKind).max(pagePackLimits.dialogs),
  captions: packCaptions,
  /** How a page is read: the first state that applies counts. */
  states: z.array(packState).max(pagePackLimits.states),
  /** What the page says, by the rule that the text decides. */
  texts: z.record(name, patterns),
});
export type PagePack = z.infer<typeof pagePack>;

/** `first` and `last` extend a list at its ends, `replace` replaces it. */
const changeOf = <T extends z.ZodType>(list: T) =>
  z.strictObject({ first: list.optional(), last: list.optional(), replace: list.optional() });
const replaced = <T extends z.ZodType>(value: T) => z.strictObject({ replace: value });
const { turnOn, keys, shown, strip, language, regions } = packCaptions.shape;

/** An operator's changes to the built-in page pack of a platform. */
export const pagePackOverlay = z.strictObject({
  format: z.literal(1),
  platform: meetingPlatform,
  version,
  /** Version of the built-in pack that it was written for. */
  base: version,
  /** Percent of bots that use it. */
  share: z.int().min(1).max(100).default(100),
  elements: z.record(name, changeOf(selectors)).optional(),
  page: z.record(name, replaced(z.union([selector, selectors]))).optional(),
  dialogs: z
    .strictObject({
      first: z.array(knownDialog).min(1).max(pagePackLimits.dialogs).optional(),
      replace: z.array(knownDialog).min(1).max(pagePackLimits.dialogs).optional(),
    })
    .optional(),
  captions: z
    .strictObject({
      turnOn: replaced(turnOn),
      keys: replaced(keys),
      shown: replaced(shown),
      strip: replaced(strip),
      language: replaced(language),
      regions: replaced(regions),
    })
    .partial()
    .optional(),
  texts: z.record(name, changeOf(patterns)).optional(),
});
export type PagePackOverlay = z.infer<typeof pagePackOverlay>;

/** Version of a pack in use: of the built-in one, with `+` and that of the overlay where there is one. */
export const pagePackVersion = z.string().max(2 * pagePackLimits.version + 1);

/** Which of its candidates an element was found by: `index` of `of`, from 0. */
export const matchedCandidates = z
  .record(name, z.object({ index: z.int().nonnegative(), of: z.int().positive() }))
  .refine((found) => Object.keys(found).length <= pagePackLimits.names, {
    message: `At most ${pagePackLimits.names} elements.`,
  });
export type MatchedCandidates = z.infer<typeof matchedCandidates>;
