import { z } from 'zod';
import { runnerConfiguration } from '@rapporteur/contracts';

/** A setting we only need to know the presence of; the gateway has checked its shape. */
const given = z.record(z.string(), z.unknown()).nullable().default(null);

/** The create configuration of specification 2.1 as the gateway forwards it: validated, defaults filled in. */
export const createBotBody = runnerConfiguration.extend({
  bot_image: z
    .union([z.string(), z.array(z.string())])
    .nullable()
    .default(null),
  allow_multiple_bots: z.boolean().default(true),
  alpha_config: given,
  meet_config: given,
  teams_config: given,
  extra: z.record(z.string(), z.unknown()).nullable().default(null),
  streaming_enabled: z.boolean().default(false),
  transcription_enabled: z.boolean().default(false),
  callback_enabled: z.boolean().default(false),
});
export type CreateBotBody = z.infer<typeof createBotBody>;
