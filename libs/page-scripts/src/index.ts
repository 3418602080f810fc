export { loadPageScript } from './load-page-script.ts';
