export { buildApps } from './build-apps.ts';
export { buildPackage, publishedPackages } from './build-packages.ts';
export { bundlePage, pageFolderName } from './bundle-page.ts';
export { apps, packApp } from './pack-app.ts';
