import express from 'express';
import { pageFolder } from './site.ts';

/** What every site serves: its own scripts and styles, and the shared ones. `first` handlers run before. */
export function createSiteApp(folder: string, ...first: express.RequestHandler[]): express.Express {
  const app = express();
  app.disable('x-powered-by');
  for (const handler of first) app.use(handler);
  app.use('/static', express.static(folder, { index: false, cacheControl: false }));
  app.use('/page', express.static(pageFolder, { index: false, cacheControl: false }));
  app.get('/favicon.ico', (_request, response) => response.status(204).end());
  return app;
}
