import { installZoom } from './client-driver.page.ts';
import type { ZoomPageOptions } from './client-driver.page.ts';

export function install(options: ZoomPageOptions): void {
  installZoom(options);
}
