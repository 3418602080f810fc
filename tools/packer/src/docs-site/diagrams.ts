/**
 * Mermaid diagrams of a page as tables: the site has no renderer for them, which is larger than all of its pages.
 * @throws Error for a kind of diagram or a line that has no table
 */
export function withTablesForDiagrams(text: string): string {
  return text.replaceAll(/^```mermaid\n([^]*?)^```$/gm, (_whole, diagram: string) =>
    tableOf(diagram.trim().split('\n')),
  );
}

function tableOf([kind = '', ...lines]: readonly string[]): string {
  if (kind === 'stateDiagram-v2')
    return rowsToTable(['from', 'to', 'event', 'status codes'], lines.flatMap(transitionOf));
  if (kind === 'sequenceDiagram') return rowsToTable(['from', 'to', 'what', 'when'], messagesOf(lines));
  throw new Error(`A diagram of the kind ${kind} has no table.`);
}

function rowsToTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** None for the last step of a final state. */
function transitionOf(text: string): string[][] {
  const [, from, to, event = '', codes = ''] = /^ *(\S+) --> (\S+)(?: : ([^/]+?)(?: \/ (.+))?)?$/.exec(text) ?? [];
  if (from === undefined || to === undefined) throw new Error(`A line of a diagram has no table: ${text}`);
  return to === '[*]' ? [] : [[from === '[*]' ? 'start' : from, to, event, codes]];
}

function messagesOf(lines: readonly string[]): string[][] {
  const names = new Map<string, string>();
  const nested: string[] = [];
  const rows: string[][] = [];
  for (const text of lines) {
    const [, short, name] = /^ *participant (\w+) as (.+)$/.exec(text) ?? [];
    const [, condition] = /^ *(?:loop|opt) (.+)$/.exec(text) ?? [];
    const [, from, to, what] = /^ *(\w+)--?>>(\w+): (.+)$/.exec(text) ?? [];
    if (short !== undefined && name !== undefined) names.set(short, name);
    else if (condition !== undefined) nested.push(condition);
    else if (text.trim() === 'end') nested.pop();
    else if (from !== undefined && to !== undefined && what !== undefined)
      rows.push([names.get(from) ?? from, names.get(to) ?? to, what, nested.join(', ')]);
    else throw new Error(`A line of a diagram has no table: ${text}`);
  }
  return rows;
}
