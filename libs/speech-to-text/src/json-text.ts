const deepest = 100;

/** Parses JSON that nests at most 100 levels deep. Throws for anything else. */
export function parseBoundedJson(bytes: Buffer): unknown {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  refuseDeepNesting(text);
  return JSON.parse(text) as unknown;
}

function refuseDeepNesting(text: string): void {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepest) throw new Error(`The JSON nests deeper than ${deepest} levels.`);
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
}
