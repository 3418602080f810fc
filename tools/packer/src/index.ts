export { buildApps } from './build-apps.ts';
export { apps, packApp } from './pack-app.ts';
