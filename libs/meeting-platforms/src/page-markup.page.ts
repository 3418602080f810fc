// Runs in the page of a meeting that a bot could not join: the page's structure as markup, without what participants
// wrote. Only what is on a list is kept, so that a page of an unknown form gives nothing away.
import { isShown, plain } from './web-client/page-text.page.ts';

export interface MarkupOptions {
  /** CSS of the regions whose text is written by participants or contains their names. */
  readonly participantsText: string;
  /** Names of participants, and messages that they wrote: a text or a value that has one of them is left out. */
  readonly words: readonly string[];
}

export interface PageMarkup {
  readonly html: string;
  /** The page has more than was kept. */
  readonly truncated: boolean;
}

const mostElements = 4_000;
const deepest = 80;
const mostCharacters = 200_000;
const longestValue = 160;

const leftOut = new Set(['head', 'script', 'style', 'noscript', 'template', 'link', 'meta', 'source', 'track']);
const withoutChildren = new Set(['svg', 'math', 'video', 'audio', 'canvas', 'iframe', 'select', 'textarea']);
const empty = new Set(['area', 'br', 'col', 'embed', 'hr', 'img', 'input', 'wbr']);

/** Attributes that every element keeps: whether one is there, and its value while that is a name in code. */
const structural =
  /^(?:id|class|role|type|name|for|jsname|jscontroller|tabindex|maxlength|disabled|hidden|inert|readonly|contenteditable|web_client|footer-section|aria-(?!label|description|valuetext|placeholder|roledescription)[a-z]+|data-[a-z-]+)$/;
const nameInCode = /^[\w:.,#$/ -]{0,160}$/;
/** Values of attributes with such a part in their name belong to a participant or a message. */
const identifying = new Set('id,mid,name,user,mri,email,initials,avatar,sender,text,tooltip'.split(','));
const namesInCode = new Set(['data-panel-id', 'data-test-id']);
const labels = ['aria-label', 'placeholder', 'alt', 'title'];

const controls =
  'button,a,summary,label,usermedia,input,textarea,[role="button"],[role="link"],[role^="menuitem"],[role="tab"],[role="switch"],[role="checkbox"],[role="radio"],[role="textbox"],[role="combobox"]';
const notices =
  'h1,h2,h3,[role="heading"],[role="alert"],[role="status"],dialog,[role="dialog"],[role="alertdialog"],[aria-modal="true"]';
/** Where pages put what participants write, whatever the platform. */
const written =
  'textarea,[contenteditable],[role="textbox"],[role="list"],[role="listitem"],[role="log"],[role="feed"],[role="grid"],[role="row"],[role="tree"],[role="treeitem"],[role="table"]';
/** Their label is the page's, their content is not. */
const fields = 'textarea,[contenteditable],[role="textbox"]';
const media = 'video,canvas,audio,img';

const letter = /[\p{L}\p{N}]/u;
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '');

class MarkupWriter {
  readonly #participantsText: string;
  readonly #words: readonly string[];
  readonly #parts: string[] = [];
  #elements = 0;
  #characters = 0;
  truncated = false;

  constructor({ participantsText, words }: MarkupOptions) {
    this.#participantsText = participantsText;
    const lower = words.map((word) => plain(word).slice(0, longestValue).toLowerCase());
    this.#words = [...new Set(lower)].filter((word) => word !== '');
  }

  get html(): string {
    return this.#parts.join('');
  }

  write(element: Element, depth: number, isWritten: boolean): void {
    const tag = element.localName;
    if (leftOut.has(tag)) return;
    if (this.#elements >= mostElements || depth > deepest || this.#characters > mostCharacters) {
      this.truncated = true;
      return;
    }
    this.#elements += 1;
    const within = isWritten || matches(element, this.#participantsText);
    const said = !within && this.#speaks(element);
    this.#put(`<${tag}${this.#attributes(element, within, said)}>`);
    if (empty.has(tag)) return;
    if (!withoutChildren.has(tag)) this.#children(element, depth, { within, said });
    this.#put(`</${tag}>`);
  }

  #children(element: Element, depth: number, { within, said }: { within: boolean; said: boolean }): void {
    const isField = element.matches(fields);
    // A selector of Playwright reaches into open shadow trees.
    for (const node of [...(element.shadowRoot?.childNodes ?? []), ...element.childNodes]) {
      if (node.nodeType === Node.ELEMENT_NODE) this.write(node as Element, depth + 1, within);
      else if (node.nodeType === Node.TEXT_NODE && said && !isField)
        this.#put(escaped(this.#kept(node.nodeValue ?? '')));
    }
  }

  /** Whether its own text and labels are the page's: of a control or a notice, without a participant's video. */
  #speaks(element: Element): boolean {
    const speaker = element.closest(`${controls},${notices}`);
    if (speaker === null || element.parentElement?.closest(written) != null) return false;
    if (element.matches(written) && !element.matches(fields)) return false;
    return element.closest(controls)?.querySelector(media) == null;
  }

  #attributes(element: Element, within: boolean, said: boolean): string {
    const kept = [...element.attributes].flatMap(({ name, value }) => {
      if (labels.includes(name)) return said ? [[name, this.#kept(value)] as const] : [];
      if (name === 'src' && element.localName === 'iframe') return [[name, addressOf(value)] as const];
      if (!structural.test(name) || name === 'value') return [];
      const hides = (within && name !== 'role') || identifies(name) || !nameInCode.test(value);
      return [[name, hides ? '' : this.#kept(value)] as const];
    });
    if (!isShown(element)) kept.push(['data-not-shown', '']);
    return kept.map(([name, value]) => (value === '' ? ` ${name}` : ` ${name}="${escaped(value)}"`)).join('');
  }

  #kept(text: string): string {
    const short = plain(text).slice(0, longestValue);
    const lower = short.toLowerCase();
    return this.#words.some((word) => hasWord(lower, word)) ? '' : short;
  }

  #put(text: string): void {
    this.#characters += text.length;
    this.#parts.push(text);
  }
}

function matches(element: Element, selector: string): boolean {
  try {
    return element.matches(selector);
  } catch {
    // Nothing is kept of a page whose regions cannot be distinguished.
    return true;
  }
}

function identifies(name: string): boolean {
  return name.startsWith('data-') && !namesInCode.has(name) && name.split('-').some((part) => identifying.has(part));
}

/** As part of a longer text, but not of a longer word. Both in lower case. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text[at - 1] ?? '', text[at + word.length] ?? ''];
    if (!letter.test(before) && !letter.test(after)) return true;
  }
  return false;
}

/** Without the query, which may hold a secret. */
function addressOf(value: string): string {
  const url = URL.canParse(value, location.href) ? new URL(value, location.href) : null;
  return url === null ? '' : `${url.origin}${url.pathname}`.slice(0, longestValue);
}

export function pageMarkup(options: MarkupOptions): PageMarkup {
  const writer = new MarkupWriter(options);
  if (document.body !== null) writer.write(document.body, 0, false);
  return { html: writer.html, truncated: writer.truncated };
}

export function install(): void {
  Object.defineProperty(globalThis, 'rapporteurMarkup', { value: pageMarkup, enumerable: false, configurable: true });
}
