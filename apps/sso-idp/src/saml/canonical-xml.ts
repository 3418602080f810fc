/** Attributes in any order; namespaces first. Values are plain text. */
export interface ElementParts {
  /** Prefix to namespace, for the declarations of this element. */
  readonly namespaces?: Readonly<Record<string, string>>;
  readonly attributes?: Readonly<Record<string, string>>;
  /** Canonical XML of the children, or escaped text. */
  readonly content?: string;
}

/**
 * Writes one element in the form of Exclusive XML Canonicalization: canonicalizing it again yields the same bytes, as
 * long as each prefix is declared on the outermost element that uses it and attributes have no prefix.
 */
export function element(name: string, { namespaces = {}, attributes = {}, content = '' }: ElementParts): string {
  const declared = Object.entries(namespaces).map(([prefix, uri]) => ` xmlns:${prefix}="${attributeText(uri)}"`);
  const given = Object.entries(attributes)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => ` ${key}="${attributeText(value)}"`);
  return `<${name}${declared.toSorted().join('')}${given.join('')}>${content}</${name}>`;
}

/** Character data. Throws for text that XML does not allow. */
export function text(value: string): string {
  return checked(value).replaceAll(/[&<>\r]/g, (character) => textEscapes[character] ?? character);
}

function attributeText(value: string): string {
  return checked(value).replaceAll(/[&<"\t\n\r]/g, (character) => attributeEscapes[character] ?? character);
}

const textEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' };
const attributeEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/** Whether XML 1.0 allows every character. */
export function isXmlText(value: string): boolean {
  // eslint-disable-next-line no-control-regex -- these are the characters that XML 1.0 does not allow
  return value.isWellFormed() && !/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.test(value);
}

function checked(value: string): string {
  if (!isXmlText(value)) {
    throw new Error('A text holds characters that XML does not allow.');
  }
  return value;
}
