const longestText = 8_000;

/** Straight apostrophes and single spaces: pages mix both kinds. */
export function plain(text: string): string {
  return text.replaceAll('\u2019', "'").replaceAll(/\s+/g, ' ').trim();
}

export function isShown(element: Element): boolean {
  return (
    element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && element.getClientRects().length > 0
  );
}

export function shown(selector: string, limit: number): Element[] {
  return [...document.querySelectorAll(selector)].slice(0, limit).filter(isShown);
}

/** Visible text in reading order, without text by participants. */
export function pageText(participantsText: string): string {
  if (document.body === null) return '';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let text = '';
  for (let node = walker.nextNode(); node !== null && text.length < longestText; node = walker.nextNode()) {
    const words = node.nodeValue?.trim() ?? '';
    const parent = node.parentElement;
    if (words === '' || parent === null || parent.closest(participantsText) !== null || !isShown(parent)) continue;
    text += `${words} `;
  }
  return plain(text);
}

/** Texts of the page's own notices in such places, without text by participants. */
export function noticesIn(selector: string, participantsText: string): string[] {
  return shown(selector, 40)
    .filter((element) => element.closest(participantsText) === null)
    .map((element) => plain(element.textContent ?? ''));
}

export function dialogsIn(selector: string): string[] {
  return shown(selector, 10).map((element) => plain(element.textContent ?? '').slice(0, 1_000));
}

/** A challenge large enough to be visible; the permanent invisible frame does not count. */
export function showsChallenge(selector: string): boolean {
  return shown(selector, 20).some((frame) => {
    const box = frame.getBoundingClientRect();
    return box.width >= 120 && box.height >= 40;
  });
}
