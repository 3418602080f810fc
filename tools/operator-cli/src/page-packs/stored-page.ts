import { selectAll } from 'css-select';
import { hasChildren, isTag, isText } from 'domhandler';
import type { AnyNode, Document, Element } from 'domhandler';
import { parseDocument } from 'htmlparser2';

const speaking = 'button,a,[role="button"],h1,h2,h3,[role="heading"],[role="status"],[role="alert"]';

/** A page of an evidence bundle, rebuilt from its markup. It runs no script and loads nothing. */
export class StoredPage {
  readonly #document: Document;

  constructor(html: string) {
    this.#document = parseDocument(html);
  }

  /**
   * Elements that this selector locates and that were visible: CSS, and the text selectors of Playwright.
   * @throws Error for a selector that is neither
   */
  shown(selector: string): readonly Element[] {
    return selectAll<AnyNode, Element>(selector, this.#document, { pseudos: textSelectors }).filter(isShown);
  }

  /** Visible texts: of the whole page, of each control and of each notice. Other text is not in the evidence. */
  texts(): readonly string[] {
    const parts = this.shown(speaking).map((element) => element.attribs['aria-label'] ?? textOf(element));
    return [textOf(this.#document, ' '), ...new Set(parts.map(plain))];
  }
}

/** As Playwright has them: white space is folded, `has-text` ignores case, `text-is` means the innermost element. */
const textSelectors = {
  'has-text': (element: Element, given?: string | null) =>
    textOf(element).toLowerCase().includes(argumentOf(given).toLowerCase()),
  'text-is': (element: Element, given?: string | null) => isInnermost(element, (text) => text === argumentOf(given)),
  'text-matches': (element: Element, given?: string | null) => {
    const pattern = new RegExp(argumentOf(given), 'u');
    return isInnermost(element, (text) => pattern.test(text));
  },
};

function isShown(element: Element): boolean {
  return element.attribs['data-not-shown'] === undefined;
}

function isInnermost(element: Element, matches: (text: string) => boolean): boolean {
  return matches(textOf(element)) && !element.children.some((child) => isTag(child) && matches(textOf(child)));
}

/** Visible text with straight apostrophes and single spaces, as the page script reads it. */
export function textOf(node: AnyNode, separator = ''): string {
  return plain(rawTextOf(node, separator));
}

function rawTextOf(node: AnyNode, separator: string): string {
  if (isText(node)) return node.data;
  if (!hasChildren(node) || (isTag(node) && !isShown(node))) return '';
  return node.children.map((child) => rawTextOf(child, separator)).join(separator);
}

function plain(text: string): string {
  return text.replaceAll('\u2019', "'").replaceAll(/\s+/g, ' ').trim();
}

/** A text in quotation marks, with escaped ones in it. */
const quoted = /^\s*(?<mark>["'])(?<text>(?:\\.|(?!\k<mark>).)*)\k<mark>\s*$/s;

function argumentOf(given: string | null | undefined): string {
  return plain((quoted.exec(given ?? '')?.groups?.['text'] ?? given ?? '').replaceAll(/\\(.)/gs, '$1'));
}
