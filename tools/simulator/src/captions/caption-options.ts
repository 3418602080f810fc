import * as z from 'zod';

/** The captions of a room, on every platform. Nothing is sent to a browser that has not turned them on. */
export const captionOptionsSchema = z.strictObject({
  /** `missing`: the page has no control for captions. `disabled`: it has one without an effect. */
  offered: z.enum(['yes', 'missing', 'disabled']).default('yes'),
  /** `renamed`: the control that turns captions on has an unusual name. */
  control: z.enum(['usual', 'renamed']).default('usual'),
  /** When the last version of an utterance arrives: 0.3 s or 3 s after its last word, or never. */
  finals: z.enum(['on-time', 'late', 'missing']).default('on-time'),
  /** Early versions have wrong words: some are corrected with the next word, some 0.8 s after the final version. */
  corrections: z.boolean().default(true),
  /** Delay from the end of a word to the version that has it. */
  delayMs: z.int().min(0).max(5_000).default(500),
  /**
   * The languages of the participants, alternating: with two languages every second participant speaks the second one.
   */
  languages: z
    .array(z.string().regex(/^[a-z]{2,3}-[A-Za-z0-9-]{2,10}$/, 'has the form en-US'))
    .min(1)
    .max(4)
    .default(['en-US']),
});

export type CaptionOptions = z.infer<typeof captionOptionsSchema>;

/** Languages that the settings of every simulated platform offer. */
export const captionLanguages = ['en-US', 'de-DE', 'es-ES', 'fr-FR', 'hu-HU'] as const;

/** The caption options that a page receives. */
export function shownToPages({ offered, control }: CaptionOptions): object {
  return { offered, control, languages: captionLanguages };
}
