export { joinPageScript, loadPageScript } from './load-page-script.ts';
export type { JoinedPageScript } from './load-page-script.ts';
