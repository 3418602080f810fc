import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TransformContext } from 'vitepress';

/**
 * Moves the inline scripts of a page into files, so that its content security policy needs no hash of a build.
 * @returns the page
 */
export function moveScripts(html: string, _id: string, { siteConfig }: TransformContext): string {
  return html.replaceAll(/<script([^>]*)>([^<]+)<\/script>/g, (_whole, attributes: string, code: string) => {
    const name = `inline-${createHash('sha256').update(code).digest('hex').slice(0, 12)}.js`;
    mkdirSync(join(siteConfig.outDir, 'assets'), { recursive: true });
    writeFileSync(join(siteConfig.outDir, 'assets', name), code);
    return `<script${attributes} src="${siteConfig.site.base}assets/${name}"></script>`;
  });
}
