import { z } from 'zod';
import { botId, instant, teamId } from './shapes.ts';

/**
 * Routes between services. All but the launch-ticket and grant routes need a signed internal token
 * (`Authorization: Bearer`, service-runtime's internal auth). Public operations are forwarded by the
 * gateway under the same path behind `/internal`: `POST /v2/bots` -> `POST {owner}/internal/v2/bots`.
 */
export const internalRoutes = {
  /** bot-scheduler; body {ticket}; 200 bot-invocation.v1; 410 used or expired. */
  redeemTicket: '/internal/v1/launch-tickets/redeem',
  /** storage-config; caller bot-scheduler; body uploadGrantRequest; 201 uploadGrantReply. */
  uploadGrants: '/internal/v1/upload-grants',
  /** storage-config; callers bot-scheduler and delivery; body artifactUrlsRequest; 200 artifactUrlsReply. */
  artifactUrls: '/internal/v1/artifact-urls',
  /**
   * storage-config; bearer is the grant. PUT/GET {objects}/<key relative to bots/<botId>/>; PUT wants header
   * `x-content-sha256` (hex) and answers 201; GET {objects}?prefix=segments/ answers grantListing.
   */
  grantObjects: '/internal/v1/grants/objects',
} as const;

export const uploadGrantRequest = z.object({
  botId,
  teamId,
  /** A grant with a smaller number than the newest one of this bot is refused from then on (403). */
  fencing: z.int().positive(),
  expiresAt: instant,
});
export type UploadGrantRequest = z.infer<typeof uploadGrantRequest>;
export const uploadGrantReply = z.object({ url: z.url(), grant: z.string() });

export const artifactUrlsRequest = z.object({
  botId,
  /** name -> object key relative to bots/<botId>/. */
  keys: z.record(z.string(), z.string()),
});
export const artifactUrlsReply = z.object({
  /** name -> signed URL, valid until expiresAt (4 hours). */
  urls: z.record(z.string(), z.url()),
  expiresAt: instant,
});

export const grantListing = z.object({
  objects: z.array(z.object({ key: z.string(), bytes: z.int().nonnegative() })),
});
