export { buildApps } from './build-apps.ts';
export { publishedPackages } from './build-packages.ts';
export { bundlePage, pageFolderName } from './bundle-page.ts';
export { apps, packApp } from './pack-app.ts';
export { packPackages } from './pack-packages.ts';
