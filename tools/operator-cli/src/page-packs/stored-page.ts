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
    const texts: { readonly text: string; readonly flags: string }[] = [];
    // Their place in this list replaces them: css-select ends an argument at the first parenthesis.
    const css = selector.replaceAll(textArgument, (_whole, ...[name, , text = '', flags = '']: string[]) => {
      texts.push({ text: plain(text.replaceAll(/\\(.)/gs, '$1')), flags });
      return `:${name}(${texts.length - 1})`;
    });
    return selectAll<AnyNode, Element>(css, this.#document, { pseudos: textSelectors(texts) }).filter(isShown);
  }

  /** Visible texts: of the whole page, of each control and of each notice. Other text is not in the evidence. */
  texts(): readonly string[] {
    const parts = this.shown(speaking).map((element) => element.attribs['aria-label'] ?? textOf(element));
    return [textOf(this.#document, ' '), ...new Set(parts.map(plain))];
  }
}

const textArgument =
  /:(has-text|text-is|text-matches)\(\s*(["'])((?:\\.|(?!\2)[^\\])*)\2\s*(?:,\s*["'](\w*)["']\s*)?\)/gs;

/** As Playwright has them: white space is folded, `has-text` ignores case, `text-is` means the innermost element. */
function textSelectors(texts: readonly { readonly text: string; readonly flags: string }[]) {
  const given = (at?: string | null): string => texts[Number(at)]?.text ?? '';
  return {
    'has-text': (element: Element, at?: string | null) =>
      textOf(element).toLowerCase().includes(given(at).toLowerCase()),
    'text-is': (element: Element, at?: string | null) => isInnermost(element, (text) => text === given(at)),
    'text-matches': (element: Element, at?: string | null) => {
      const pattern = new RegExp(given(at), `u${texts[Number(at)]?.flags ?? ''}`);
      return isInnermost(element, (text) => pattern.test(text));
    },
  };
}

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
