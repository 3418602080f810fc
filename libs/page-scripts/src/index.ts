export { bundlePageScript } from './bundle-page-script.ts';
export { loadPageScript } from './load-page-script.ts';
