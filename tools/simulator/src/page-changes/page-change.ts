/** What a platform changed in its page, as data for the script in the page (`sites/page/page-change.js`). */
export interface PageChange {
  /** New values of attributes, by attribute and former value; null: the attribute is gone. Of `class`, one name. */
  readonly attributes?: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
  /** New texts by former ones: whole texts of elements, and whole `aria-label`, `placeholder` and `title` attributes. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Elements that have another place in the page. Both are CSS selectors, of the page as it was. */
  readonly moves?: readonly { readonly what: string; readonly into: string }[];
  /** A dialog that makes the page inert until its button is pressed; it appears with the element `over` (CSS). */
  readonly dialog?: { readonly over: string; readonly text: string; readonly button: string };
  /** A page in place of the meeting's own; nothing removes it. */
  readonly gate?: { readonly heading: string; readonly help: string };
}
