import type { CaptionsAccess, CaptionOptions, SessionClock } from '../platform.ts';
import { resultWithin } from '../result-within.ts';
import type { CaptionControls, CaptionLanguageControls, PageElement, PageScriptDriver } from './page-client.ts';
import type { PageSnapshot } from './page-state.ts';
import { repeatPress, happensInTime } from './page-driver.ts';
import type { PageDriver } from './page-driver.ts';

const elementTimeoutMs = 4_000;
const optionalTimeoutMs = 1_500;
const shownTimeoutMs = 4_000;
const keyTimeoutMs = 1_500;
const responseTimeoutMs = 2_000;
const stripStyle = 'position:fixed!important;opacity:0!important;pointer-events:none!important;';

interface Waiting {
  readonly clock: SessionClock;
  readonly signal: AbortSignal;
}

/** Turns on the captions of the page's viewer and makes them invisible. Never rejects. */
export async function openCaptions<S extends PageSnapshot>(
  driver: PageDriver<S>,
  options: CaptionOptions,
  waiting: Waiting,
): Promise<CaptionsAccess> {
  const { captions } = driver.client;
  if (captions === undefined) return { on: false, reason: 'not_offered', what: 'The bot reads no captions here.' };
  try {
    return await driver.serialized(async () => await turnOn(driver, captions, { options, ...waiting }));
  } catch {
    return { on: false, reason: 'control_failed', what: 'The page did not respond.', mayCome: true };
  }
}

async function turnOn<S extends PageSnapshot>(
  driver: PageDriver<S>,
  captions: CaptionControls,
  { options, ...waiting }: Waiting & { readonly options: CaptionOptions },
): Promise<CaptionsAccess> {
  await hideStrip(driver, captions);
  const started = await startByScript(driver, captions, options);
  if (started !== null) return { on: true, language: started.language };
  const language = await chooseLanguage(driver, captions.language, { options, ...waiting });
  if (await isOn(driver, captions)) return { on: true, language };
  const { control, typed } = await pressControls(driver, captions, { options, ...waiting });
  if (control === 'on' || (await isOn(driver, captions)) || (await strikeKeys(driver, captions, waiting))) {
    return { on: true, language: typed ?? language };
  }
  return control === 'missing'
    ? { on: false, reason: 'not_offered', what: 'The meeting shows no control for captions.', mayCome: true }
    : { on: false, reason: 'control_failed', what: 'The captions did not turn on.', mayCome: true };
}

/** Through the client's own call object, where the page script finds one; null: none. */
async function startByScript<S extends PageSnapshot>(
  driver: PageDriver<S>,
  { languageTag }: CaptionControls,
  { language }: CaptionOptions,
): Promise<{ readonly language: string | null } | null> {
  const tag = language === null ? null : (languageTag?.(language) ?? null);
  const started = driver.frame().evaluate(
    ([driverName, wanted]) => {
      const script = (globalThis as Record<string, unknown>)[driverName] as PageScriptDriver<unknown> | undefined;
      return script?.startCaptions?.(wanted) === true;
    },
    [driver.client.driverName, tag] as const,
  );
  return (await resultWithin(started, responseTimeoutMs)) === true ? { language: tag } : null;
}

async function isOn<S extends PageSnapshot>(driver: PageDriver<S>, { shown }: CaptionControls): Promise<boolean> {
  const counted = driver.frame().evaluate((selector) => document.querySelector(selector) !== null, shown);
  return (await resultWithin(counted, responseTimeoutMs)) === true;
}

interface PressedControls {
  /** `on`: the page shows that they are on already. */
  readonly control: 'on' | 'pressed' | 'missing';
  /** The language that was typed. */
  readonly typed: string | null;
}

async function pressControls<S extends PageSnapshot>(
  driver: PageDriver<S>,
  captions: CaptionControls,
  { options, ...waiting }: Waiting & { readonly options: CaptionOptions },
): Promise<PressedControls> {
  let typed: string | null = null;
  // The controls may hide themselves until the mouse moves.
  await driver.stir();
  for (const [index, { element, optional, takesLanguage }] of captions.turnOn.entries()) {
    const name = takesLanguage === true ? nameOf(options.language) : null;
    if (takesLanguage === true && name === null) continue;
    const timeoutMs = optional === true ? optionalTimeoutMs : elementTimeoutMs;
    const next = optional === true && name === null ? captions.turnOn[index + 1]?.element : undefined;
    const pressed = await pressInTime(driver, element, { ...waiting, timeoutMs }, next);
    if (pressed && name !== null) {
      await driver.input.write(name);
      await driver.input.strike('Enter');
      typed = name;
    }
    if (pressed || optional === true) continue;
    // A menu shows which of its entries is on. Opened menus are closed again.
    const shown = await isOn(driver, captions);
    await driver.input.strike('Escape');
    return { control: shown ? 'on' : 'missing', typed };
  }
  const isShown = await happensInTime(() => isOn(driver, captions), { ...waiting, timeoutMs: shownTimeoutMs });
  return { control: isShown || (await isOnInMenu(driver, captions, waiting)) ? 'on' : 'pressed', typed };
}

/** The strip may appear only when a participant speaks; the menu shows the state earlier. */
async function isOnInMenu<S extends PageSnapshot>(
  driver: PageDriver<S>,
  captions: CaptionControls,
  waiting: Waiting,
): Promise<boolean> {
  const control = captions.turnOn.findIndex(({ element }) => element === 'captionsOn');
  const menus = captions.turnOn.slice(0, control);
  if (menus.length === 0) return false;
  await driver.stir();
  for (const { element, optional } of menus) {
    if (await isOn(driver, captions)) break;
    const timeoutMs = optional === true ? optionalTimeoutMs : elementTimeoutMs;
    await pressInTime(driver, element, { ...waiting, timeoutMs });
  }
  const isShown = await happensInTime(() => isOn(driver, captions), { ...waiting, timeoutMs: optionalTimeoutMs });
  await driver.input.strike('Escape');
  return isShown;
}

/** In English; null for none, and for what is no language. */
function nameOf(language: string | null): string | null {
  try {
    const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
    return language === null ? null : (names.of(language.split('-')[0] ?? '') ?? null);
  } catch {
    return null;
  }
}

/** True when one of the keys turned captions on. */
async function strikeKeys<S extends PageSnapshot>(
  driver: PageDriver<S>,
  captions: CaptionControls,
  waiting: Waiting,
): Promise<boolean> {
  for (const key of captions.keys) {
    if (waiting.signal.aborted) return false;
    await driver.input.strike(key);
    if (await happensInTime(() => isOn(driver, captions), { ...waiting, timeoutMs: keyTimeoutMs })) return true;
  }
  return false;
}

/** Presses the element as soon as it is shown; false: timeout, or `next` is shown without it. */
async function pressInTime<S extends PageSnapshot>(
  driver: PageDriver<S>,
  element: PageElement,
  { clock, signal, timeoutMs }: Waiting & { readonly timeoutMs: number },
  next?: PageElement,
): Promise<boolean> {
  let pressed = false;
  const press = async (): Promise<boolean> => {
    pressed = await driver.press(element);
    // Controls that hide themselves close their menus too.
    if (!pressed) await driver.stir();
    return pressed;
  };
  const happened = async (): Promise<boolean> =>
    pressed || (next !== undefined && (await driver.locate(next)) !== null);
  await repeatPress({ happened, press, againMs: timeoutMs, timeoutMs }, clock, signal);
  return pressed;
}

/** The language that was chosen; null when none is requested, or it is not offered. A miss costs nothing but its time. */
async function chooseLanguage<S extends PageSnapshot>(
  driver: PageDriver<S>,
  controls: CaptionLanguageControls | null,
  { options, ...waiting }: Waiting & { readonly options: CaptionOptions },
): Promise<string | null> {
  if (controls === null || options.language === null) return null;
  await driver.stir();
  try {
    for (const element of controls.open) {
      if (!(await pressInTime(driver, element, { ...waiting, timeoutMs: elementTimeoutMs }))) return null;
    }
    const { option, attribute } = controls;
    let chosen: string | null = null;
    const choose = async (): Promise<boolean> => {
      const clicked = driver.frame().evaluate(clickLanguage, [option, attribute, options.language ?? ''] as const);
      return (chosen = await resultWithin(clicked, responseTimeoutMs)) !== null;
    };
    await happensInTime(choose, { ...waiting, timeoutMs: elementTimeoutMs });
    return chosen;
  } finally {
    if (!(await pressInTime(driver, controls.close, { ...waiting, timeoutMs: optionalTimeoutMs }))) {
      await driver.input.strike('Escape');
    }
  }
}

/** In the page: the entry of this language, else the first of the same language elsewhere (`de` finds `de-DE`). */
function clickLanguage([option, attribute, wanted]: readonly [string, string, string]): string | null {
  const entries = [...document.querySelectorAll<HTMLElement>(option)];
  const codeOf = (entry: HTMLElement): string => entry.getAttribute(attribute) ?? '';
  const base = (code: string): string => code.toLowerCase().split('-')[0] ?? '';
  const isSame = (entry: HTMLElement): boolean => codeOf(entry).toLowerCase() === wanted.toLowerCase();
  const entry =
    entries.find(isSame) ?? entries.find((one) => !wanted.includes('-') && base(codeOf(one)) === base(wanted));
  entry?.click();
  return entry === undefined ? null : codeOf(entry);
}

/** The text stays in the document, where it takes no room and no press. */
async function hideStrip<S extends PageSnapshot>(driver: PageDriver<S>, { strip }: CaptionControls): Promise<void> {
  const hidden = driver.frame().evaluate((rule) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rule);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }, `${strip}{${stripStyle}}`);
  await resultWithin(hidden, responseTimeoutMs);
}
