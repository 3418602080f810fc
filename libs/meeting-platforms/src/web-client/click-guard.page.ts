const pressEvents = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick'] as const;
const pressables = 'button, a, label, [role="button"]';
/** A press on a located element is expected within this time; later it has to be located again. */
const expectedMs = 5_000;

/**
 * Blocks presses on other elements than the located ones. Between locating a button and pressing it, a page may put
 * another in its place, e.g. one that leaves the meeting. Without a located element nothing is blocked.
 */
export class ClickGuard {
  #expected: readonly Element[] = [];
  #untilMs = -Infinity;
  #refuses = false;

  /** Before the page's own scripts: the first listener decides. */
  install(): void {
    for (const kind of pressEvents) globalThis.addEventListener(kind, (event) => this.#judge(event), { capture: true });
  }

  expect(elements: readonly Element[]): void {
    // A press on a descendant of a button is a press on the button.
    this.#expected = elements.map((element) => element.closest(pressables) ?? element);
    this.#untilMs = performance.now() + expectedMs;
  }

  /** A press is judged once, at its beginning: the page may move its target in between. */
  #judge(event: Event): void {
    if (event.type === 'pointerdown') this.#refuses = this.#isAstray(event);
    if (!this.#refuses) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #isAstray(event: Event): boolean {
    if (!event.isTrusted || this.#expected.length === 0 || performance.now() > this.#untilMs) return false;
    const pressed = event.composedPath().filter((target) => 'isEqualNode' in target) as Node[];
    // A page that renders again may have put an equal element in its place.
    return !this.#expected.some((element) => pressed.some((node) => node === element || node.isEqualNode(element)));
  }
}
