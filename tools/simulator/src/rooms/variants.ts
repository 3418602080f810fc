import type * as z from 'zod';
import { meetOptionsSchema } from '../meet/meet-options.ts';
import { seeded } from '../seeded.ts';
import type { PlatformName } from '../sites/platforms.ts';
import { teamsOptionsSchema } from '../teams/teams-options.ts';
import { zoomOptionsSchema } from '../zoom/zoom-options.ts';

type VariantValue = string | boolean;

const schemas: Readonly<Record<PlatformName, z.ZodObject>> = {
  meet: meetOptionsSchema,
  teams: teamsOptionsSchema,
  zoom: zoomOptionsSchema,
};

/**
 * Options, or values of them, that decide how a session ends: never sampled, so that a sampled room admits a valid
 * guest.
 */
const decisive: Readonly<Record<PlatformName, readonly string[]>> = {
  meet: ['signInWall', 'captcha', 'blocked', 'notFound', 'dropIfNoticeHidden', 'detectedAsBot'],
  teams: ['signInWall', 'humanCheck', 'deviceWarning=loop'],
  zoom: ['hostNotStarted', 'signInWall', 'botWall', 'captcha', 'sdkAccount', 'sdkAuthorizedUser', 'sdkRecording'],
};

/** Every enumerated option of a platform with its values, derived from the schema, so that none is missing. */
export function variantValues(platform: PlatformName): Readonly<Record<string, readonly VariantValue[]>> {
  const choices = Object.entries(schemas[platform].shape).flatMap(([name, schema]) => {
    const values = valuesOf(schema as z.ZodType);
    return values === null ? [] : [[name, values] as const];
  });
  return Object.fromEntries(choices);
}

/** A room's variants sampled by the seed; the same for the same seed. */
export function drawVariants(platform: PlatformName, seed: number): Readonly<Record<string, VariantValue>> {
  const random = seeded(seed);
  const drawn = Object.entries(variantValues(platform)).flatMap(([name, all]) => {
    const values = all.filter((value) => !decides(platform, name, value));
    return values.length === 0 ? [] : [[name, values[Math.floor(random() * values.length)]!] as const];
  });
  return Object.fromEntries(drawn);
}

function decides(platform: PlatformName, name: string, value: VariantValue): boolean {
  return decisive[platform].some((one) => one === name || one === `${name}=${String(value)}`);
}

function valuesOf(schema: z.ZodType): readonly VariantValue[] | null {
  const { def } = schema as unknown as { def: { type: string; innerType?: z.ZodType; entries?: object } };
  if (def.innerType !== undefined) return valuesOf(def.innerType);
  if (def.type === 'boolean') return [false, true];
  return def.type === 'enum' ? Object.values(def.entries ?? {}) : null;
}
