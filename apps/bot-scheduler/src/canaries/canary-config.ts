import { z } from 'zod';
import { jsonText } from '../schema/json-text.ts';

const mostCanaries = 30;
const name = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/, 'must be 1 to 40 lower-case letters, digits and dashes');

const expectation = z
  .strictObject({
    /** lobby: the canary leaves once the waiting room is shown. */
    reach: z.enum(['call', 'lobby']).default('call'),
    roster: z.boolean().default(true),
    /** Expected audio of the call; any: none is a failure. */
    audio: z.enum(['heard', 'silence', 'any']).default('any'),
    chat: z.boolean().default(true),
    captions: z.boolean().default(true),
  })
  .prefault({});
export type CanaryExpectation = z.infer<typeof expectation>;

/** Selects a stored login like meet_config and teams_config do, in the team that has it. */
const login = z.strictObject({
  team_id: z.uuid(),
  credential_id: z.uuid().optional(),
  email_group: z.string().min(1).max(320).optional(),
});

const canary = z.strictObject({
  name,
  link: z.string().min(1).max(2_000),
  interval_seconds: z.int().min(10).max(86_400).default(900),
  /** Absent: it joins as a guest. */
  login: login.optional(),
  expect: expectation,
});

const canaries = z
  .array(canary)
  .max(mostCanaries)
  .superRefine((all, context) => {
    const names = all.map((one) => one.name);
    const twice = names.find((one, index) => names.indexOf(one) !== index);
    if (twice !== undefined) context.addIssue({ code: 'custom', message: `two canaries are called ${twice}` });
  });

/** JSON text of the setting; each entry names a standing meeting of the operator. */
export const canarySetting = (): z.ZodType<ConfiguredCanary[], string> => jsonText<ConfiguredCanary[]>(canaries);

export type ConfiguredCanary = z.infer<typeof canary>;
