import * as z from 'zod';
import { pageChangeNames } from './presets.ts';

/** A change of the page by its name; `none`: the page as the built-in pack has it. */
export const pageChangeChoiceSchema = z.enum(['none', ...pageChangeNames]);

export type PageChangeChoice = z.infer<typeof pageChangeChoiceSchema>;
