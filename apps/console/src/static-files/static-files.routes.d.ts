import { Router } from 'express';
import type { PageFiles } from './page-files.ts';
/** No requests to or from another origin; no inline script or style; no HTML from text. */
export declare const pagePolicy: string;
/** The page at every address below `/console`, and its files, with immutable caching. */
export declare function staticFiles({ html, assets }: PageFiles): Router;
