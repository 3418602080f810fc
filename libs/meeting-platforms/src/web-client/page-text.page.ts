const longestText = 8_000;
const mostRoots = 100;

/** Straight apostrophes and single spaces: pages mix both kinds. */
export function plain(text: string): string {
  return text.replaceAll('\u2019', "'").replaceAll(/\s+/g, ' ').trim();
}

export function isShown(element: Element): boolean {
  return (
    element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && element.getClientRects().length > 0
  );
}

/** The document and its open shadow roots. */
function roots(within: Document | ShadowRoot = document): (Document | ShadowRoot)[] {
  const found = [within];
  for (const { shadowRoot } of within.querySelectorAll('*'))
    if (shadowRoot !== null && found.length < mostRoots) found.push(...roots(shadowRoot));
  return found;
}

export function shown(selector: string, limit: number, within: readonly ParentNode[] = [document]): Element[] {
  return within.flatMap((root) => [...root.querySelectorAll(selector)].slice(0, limit).filter(isShown)).slice(0, limit);
}

/** Not a copy that the page keeps out of sight: transparent, outside of the window, or hidden from screen readers. */
export function isPainted(element: Element): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const { innerWidth, innerHeight } = globalThis;
  if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) return false;
  return (
    element.closest('[aria-hidden="true"],[inert]') === null &&
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  );
}

export function isDisabled(button: Element): boolean {
  return button.matches(':disabled,.disabled') || button.closest('[aria-disabled="true"]') !== null;
}

/** The name of a button: its label, else its text. */
export function nameOf(button: Element): string {
  return plain(button.getAttribute('aria-label') ?? button.textContent ?? '').slice(0, 120);
}

/** Visible text in reading order, without text by participants, and the same by blocks. */
export function pageText(participantsText: string): { text: string; lines: string[] } {
  const lines: string[] = [];
  let length = 0;
  let block: Element | null = null;
  for (const root of roots()) {
    const top = root instanceof Document ? root.body : root;
    if (top === null) continue;
    const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null && length < longestText; node = walker.nextNode()) {
      const words = plain(node.nodeValue ?? '');
      const parent = node.parentElement;
      if (words === '' || parent === null || parent.closest(participantsText) !== null || !isShown(parent)) continue;
      const around = blockOf(parent);
      if (around === block && lines.length > 0) lines.push(`${lines.pop()} ${words}`);
      else lines.push(words);
      block = around;
      length += words.length + 1;
    }
  }
  return { text: lines.join(' '), lines };
}

/** The nearest element that is not part of a line. */
function blockOf(element: Element): Element {
  let block = element;
  while (block.parentElement !== null && getComputedStyle(block).display.startsWith('inline'))
    block = block.parentElement;
  return block;
}

/** Texts of the page's own notices in such places, without text by participants. */
export function noticesIn(selector: string, participantsText: string): string[] {
  return shown(selector, 40, roots())
    .filter((element) => element.closest(participantsText) === null)
    .map((element) => plain(element.textContent ?? ''));
}

export function dialogsIn(selector: string): string[] {
  return shown(selector, 10, roots())
    .filter(isPainted)
    .map((element) => plain(element.textContent ?? '').slice(0, 1_000));
}

/** A challenge large enough to be visible; the permanent invisible frame does not count. */
export function showsChallenge(selector: string): boolean {
  return shown(selector, 20, roots()).some((frame) => {
    const box = frame.getBoundingClientRect();
    return box.width >= 120 && box.height >= 40;
  });
}
