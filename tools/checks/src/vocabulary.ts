import ts from 'typescript';
import { acceptedTerms, refusedWords } from './refused-words.ts';
import type { RefusedWord } from './refused-words.ts';
import { isSource } from './tree.ts';
import type { Tree } from './tree.ts';

/** Sites of the simulator keep the names and sentences of the real sites, generated files those of their source. */
const exempt = new RegExp(
  [
    /\/generated\/|\.d\.ts$|\/fixtures\//,
    /^tools\/simulator\/src\/([^/]+\/site|page-texts)\//,
    /^CHANGELOG\.md$|^docs\/glossary\.md$|^docs\/specification-coverage\.md$|^tools\/simulator\/COVERAGE\.md$/,
    /^tools\/checks\/src\/(refused-words|vocabulary\.test)\.ts$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/**
 * Refused words in identifiers, file names, comments, documents and contracts. Of strings only those of several words
 * are compared, and only with some words: they have names and texts of other systems.
 */
export function findRefusedWords(tree: Tree): string[] {
  return tree.paths
    .filter((path) => !exempt.test(path))
    .flatMap((path) => {
      const inName = path.split('/').flatMap((name) => refusalsOfName(name).map((found) => say(path, name, found)));
      if (isSource(path)) return [...inName, ...refusedInSource(path, tree.read(path))];
      if (isContract(path)) return [...inName, ...report(path, tree.read(path), inText(tree.read(path)))];
      return path.endsWith('.md') ? [...inName, ...refusedInDocument(path, tree.read(path))] : inName;
    });
}

const isContract = (path: string): boolean => /\/(openapi|examples)\/.*\.(yaml|json)$/.test(path);
const inText = (text: string) => ({ found: [{ text, index: 0 }], by: inSentences });

function refusedInSource(path: string, source: string): string[] {
  const strings = textsOf(path, source);
  const code = blank(source, strings);
  const comments: Found[] = [...code.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)].map(({ 0: text, index }) => ({
    text,
    index,
  }));
  const names = [...blank(code, comments).matchAll(/[\w$]+/g)].map(({ 0: text, index }) => ({ text, index }));
  return [
    ...report(path, source, { found: names, by: byName }),
    ...report(path, source, { found: comments, by: inProse }),
    ...report(path, source, { found: strings.filter(({ text }) => text.includes(' ')), by: inSentences }),
  ];
}

/** In code samples and code spans only the parts of names count. */
function refusedInDocument(path: string, source: string): string[] {
  const spans = [...source.matchAll(/```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)|<[^>\n]+>/g)];
  const spanned: Found[] = spans.map(({ 0: text, index }) => ({ text, index }));
  const prose = [...blank(source, spanned).matchAll(/[^\n]+/g)].map(({ 0: text, index }) => ({ text, index }));
  return report(path, source, { found: prose, by: inProse });
}

interface Found {
  readonly text: string;
  readonly index: number;
}
type Refusals = readonly { readonly pattern: RegExp; readonly word: RefusedWord }[];

const byName: Refusals = refusedWords
  .filter(({ words, where }) => where !== 'sentences' && !words.includes(' (?:'))
  .map((word) => ({ word, pattern: new RegExp(`(?<![a-z])(?:${word.words})(?![a-z])`, 'g') }));
const inProse: Refusals = refusedWords
  .filter(({ where }) => where !== 'name')
  .map((word) => ({
    word,
    pattern: new RegExp(String.raw`(?<![\w-])(?:${word.words.replaceAll(' ', String.raw`[\s*]+`)})(?![\w-])`, 'gi'),
  }));
const inSentences: Refusals = inProse.filter(({ word }) => word.where === 'sentences' || word.where === 'everywhere');

function report(path: string, source: string, { found, by }: { found: readonly Found[]; by: Refusals }): string[] {
  return found.flatMap(({ text, index }) =>
    (by === byName ? refusalsOfName(text) : refusalsOf(text, by)).map((refused) => {
      const line = source.slice(0, index + (by === byName ? 0 : refused.at)).split('\n').length;
      return say(`${path}:${line}`, by === byName ? text : refused.word, refused);
    }),
  );
}

interface Refusal {
  readonly word: string;
  readonly at: number;
  readonly use: string;
}

function refusalsOf(text: string, by: Refusals): Refusal[] {
  const judged = acceptedTerms.reduce((rest, term) => rest.replaceAll(term, (found) => ' '.repeat(found.length)), text);
  return by.flatMap(({ pattern, word }) =>
    [...judged.matchAll(pattern)].map((match) => ({ word: match[0], at: match.index, use: word.use })),
  );
}

/** Refusals by name: the same names come up all over the tree. */
const refusedNames = new Map<string, Refusal[]>();

function refusalsOfName(name: string): Refusal[] {
  const known = refusedNames.get(name) ?? refusalsOf(partsOf(name), byName);
  refusedNames.set(name, known);
  return known;
}

function say(where: string, what: string, { word, use }: Refusal): string {
  const of = what === word ? '' : ` of "${what}"`;
  return `${where}: instead of "${word}"${of} use ${use} (docs/glossary.md).`;
}

const partsOf = (name: string): string =>
  acceptedTerms
    .reduce((rest, term) => rest.replaceAll(term, ''), name)
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .replaceAll(/[^A-Za-z]+/g, ' ')
    .toLowerCase();

/** Strings, templates, JSX texts and regular expressions of the source. */
function textsOf(path: string, source: string): Found[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ESNext, true);
  const texts: Found[] = [];
  const visit = (node: ts.Node): void => {
    const at = node.getStart(file);
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isRegularExpressionLiteral(node) ||
      ts.isJsxText(node)
    )
      texts.push({ text: source.slice(at, node.getEnd()), index: at });
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

function blank(source: string, texts: readonly Found[]): string {
  let rest = '';
  let at = 0;
  for (const { text, index } of texts) {
    rest += source.slice(at, index) + text.replaceAll(/[^\n]/g, ' ');
    at = index + text.length;
  }
  return rest + source.slice(at);
}
