import { installZoom } from './client-door.page.ts';
import type { ZoomPageOptions } from './client-door.page.ts';

export function install(options: ZoomPageOptions): void {
  installZoom(options);
}
