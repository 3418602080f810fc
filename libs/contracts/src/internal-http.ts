import { z } from 'zod';
import { loginPlatforms } from './platforms.ts';
import { botId, instant, teamId } from './shapes.ts';

/** Routes between services that take a ticket or a grant, and no internal token. The others are `internalCalls`. */
export const internalRoutes = {
  /**
   * bot-scheduler; body {ticket, runner}; 200 bot-invocation.v1; 410 used or expired. `runner` is a UUID of the
   * process: with the same one the request may be repeated until the first lease renewal.
   */
  redeemTicket: '/internal/v1/launch-tickets/redeem',
  /**
   * storage-config; bearer is the grant. PUT/GET {objects}/<key relative to bots/<botId>/>; PUT requires header
   * `x-content-sha256` (hex) and returns 201; GET {objects}?prefix=segments/ returns grantListing.
   */
  grantObjects: '/internal/v1/grants/objects',
  /**
   * storage-config; bearer is the grant. A multipart upload of an object of unknown size, its head last. POST
   * {growing}/<key> with body multipartCreate returns 201 multipartCreated; PUT {growing}/<key>?upload=&part= (a number
   * from 1, `head` or `tail`) requires `x-content-sha256` and returns 201; POST {growing}/<key>?upload= with body
   * multipartComplete returns 201 {key, bytes}; DELETE {growing}/<key>?upload= returns 204. 404: the upload does not
   * exist any more; send the object as a whole.
   */
  grantMultipart: '/internal/v1/grants/growing',
  /**
   * storage-config; bearer is the grant; POST with body directPartRequest; 200 directPartReply: a request with which the
   * runner sends a part of an upload that was started through `grantMultipart` to the object store directly.
   */
  grantDirectParts: '/internal/v1/grants/direct-parts',
  /**
   * storage-config; bearer is the grant; POST with body directFragments; 200 directFragmentsReply. Commits a fragment
   * (`segments/`) in a slot, which is read and listed from then on, and grants slots for the next ones: requests with
   * which a runner sends one object each to the object store directly. 403 for a grant that is not the newest: fragments
   * of its holder are never read.
   */
  grantDirectFragments: '/internal/v1/grants/direct-fragments',
  /**
   * storage-config; bearer is the grant; POST with body fragmentRelease. The bot's recording is stored and reported:
   * its fragments (segments/) are removed after a while. 409 when an artifact differs from the body.
   */
  grantRelease: '/internal/v1/grants/release',
} as const;

export const uploadGrantRequest = z.object({
  botId,
  teamId,
  /** A grant with a smaller number than the newest one of this bot is refused from then on (403). */
  fencing: z.int().positive().max(2_147_483_647),
  expiresAt: instant,
});
export type UploadGrantRequest = z.infer<typeof uploadGrantRequest>;
export const grantListing = z.object({
  objects: z.array(z.object({ key: z.string(), bytes: z.int().nonnegative() })),
});

export const multipartCreate = z.object({ contentType: z.string().min(1).max(200) });
export const multipartCreated = z.object({ upload: z.string() });
export const multipartComplete = z.object({
  /** The number of numbered parts, and whether a tail follows them. */
  parts: z.int().nonnegative(),
  tail: z.boolean(),
});
export const directPartRequest = z.object({
  key: z.string(),
  upload: z.string().min(1).max(1_000),
  /** A number from 1, or the bytes before all parts (`head`) or after them (`tail`). */
  part: z.union([z.int().positive().max(99_999), z.literal('head'), z.literal('tail')]),
  bytes: z.int().positive(),
});
export type DirectPartRequest = z.infer<typeof directPartRequest>;
const requestToStore = z.object({
  method: z.literal('PUT'),
  url: z.url(),
  headers: z.record(z.string(), z.string()),
  /** True when a customer gave the address: it is called under the rules for such addresses. */
  customers: z.boolean(),
});
export const directPartReply = z.object({
  /** Null: the bytes have to go through storage-config. */
  request: requestToStore.nullable(),
});
export type DirectPartReply = z.infer<typeof directPartReply>;
export const directFragments = z.object({
  commit: z.object({ key: z.string(), bytes: z.int().positive(), slot: z.uuid() }).nullable(),
  /** How many more are requested. */
  slots: z.int().nonnegative().max(32),
});
export type DirectFragments = z.infer<typeof directFragments>;
export const directFragmentsReply = z.object({
  /** Null: fragments have to go through storage-config. */
  slots: z.array(z.object({ slot: z.uuid(), request: requestToStore })).nullable(),
  /** The time at which the signed requests expire. */
  expiresAt: instant,
});
export type DirectFragmentsReply = z.infer<typeof directFragmentsReply>;

export const fragmentRelease = z.object({
  artifacts: z
    .array(z.object({ key: z.string(), bytes: z.int().nonnegative() }))
    .min(1)
    .max(100),
});

/** Objects held in the deployment's store because a team's bucket does not accept them. */
export const spilledObjects = z.object({
  objects: z.array(
    z.object({
      bot_id: botId,
      team_id: teamId,
      storage_config_id: z.uuid(),
      /** Below the bot's prefix. */
      key: z.string(),
      bytes: z.int().nonnegative(),
      spilled_at: instant,
      attempts: z.int().nonnegative(),
      next_attempt_at: instant,
      last_error: z.string().nullable(),
    }),
  ),
});
export type SpilledObjects = z.infer<typeof spilledObjects>;

export const deleteBotObjectsReply = z.discriminatedUnion('confirmed', [
  z.object({ confirmed: z.literal(true) }),
  /** A store did not confirm; the reason may be shown to the customer. */
  z.object({ confirmed: z.literal(false), reason: z.string() }),
]);
export type DeleteBotObjectsReply = z.infer<typeof deleteBotObjectsReply>;

/** One of a team's stored Zoom credentials: by its id, or by Zoom's id of its user. */
export const credentialChoice = z.union([
  z.object({ teamId, credentialId: z.string() }),
  z.object({ teamId, userId: z.string() }),
]);
export type CredentialChoice = z.infer<typeof credentialChoice>;

/** Null: the team has no such credential. */
export const credentialStatus = z.object({
  credential: z
    .object({
      credentialId: z.uuid(),
      state: z.enum(['active', 'invalid']),
      lastError: z.string().nullable(),
    })
    .nullable(),
});
export type CredentialStatus = z.infer<typeof credentialStatus>['credential'];

export const joinTokenCommand = z.object({ choice: credentialChoice, botId, meetingId: z.string() });
export type JoinTokenCommand = z.infer<typeof joinTokenCommand>;

export const joinTokenResult = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('token'),
    credentialId: z.uuid(),
    /** The app of the credential; a join needs its signature beside the token. Never sent to a runner. */
    app: z.object({ key: z.string(), secret: z.string() }),
    /** Null for a credential without a user. */
    obfToken: z.string().nullable(),
  }),
  /** `message` states why, and what to do; it may be shown to the customer. */
  z.object({ outcome: z.literal('refused'), message: z.string() }),
]);
export type JoinTokenResult = z.infer<typeof joinTokenResult>;

/** Members of `meet_config` and `teams_config` that select a stored login; the group goes before the id. */
export const loginSelector = z.object({
  platform: z.enum(loginPlatforms),
  credentialId: z.string().nullable(),
  /** Empty: any login of the team. */
  emailGroup: z.string().nullable(),
});
export type LoginSelector = z.infer<typeof loginSelector>;

export const reserveLoginRequest = z.object({ botId, teamId, selector: loginSelector });
export type ReserveLoginRequest = z.infer<typeof reserveLoginRequest>;

/** `message` states why there is none; it may be shown to the customer. */
const loginUnavailable = z.object({ outcome: z.literal('unavailable'), message: z.string() });
export const reserveLoginReply = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('reserved'), credentialId: z.uuid() }),
  loginUnavailable,
]);
export type ReserveLoginReply = z.infer<typeof reserveLoginReply>;

export const loginAvailability = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('available') }),
  loginUnavailable,
]);
export type LoginAvailability = z.infer<typeof loginAvailability>;

/** A sign-in that failed, as observed by the runner. */
export const signInFailure = z.object({
  credentialId: z.uuid(),
  code: z.enum([
    'MEET_LOGIN_FAILED_SAML_REJECTED',
    'MEET_LOGIN_FAILED_TIMEOUT',
    'TEAMS_LOGIN_FAILED_INVALID_CREDENTIALS',
    'TEAMS_LOGIN_FAILED_CAPTCHA',
    'TEAMS_LOGIN_FAILED_MFA_REQUIRED',
    'TEAMS_LOGIN_FAILED_TIMEOUT',
  ]),
  /** Safe to show. */
  message: z.string().max(1_000),
  /** The page was none of the known ones: it shows nothing about the login, which stays active. */
  unknownPage: z.boolean().default(false),
  /** SAML status codes shown by the service provider, where it did. */
  idpStatus: z.string().max(200).nullable().default(null),
  idpSubStatus: z.string().max(200).nullable().default(null),
  finalUrlHost: z.string().max(253).nullable().default(null),
});
export type SignInFailure = z.infer<typeof signInFailure>;

export const signInCommand = z.object({
  botId,
  teamId,
  attempt: z.int().positive(),
  meetingUrlHost: z.string().nullable(),
  selector: loginSelector,
  /** The login issued before failed; another one is requested. */
  failed: signInFailure.nullable(),
});
export type SignInCommand = z.infer<typeof signInCommand>;

/** Cookie in which a bot's browser sends its sign-in ticket. */
export const signInTicketCookie = 'rapporteur_sign_in';

/** The sign-in data of a runner. */
export const signInCredentials = z.discriminatedUnion('platform', [
  z.object({
    platform: z.literal('meet'),
    credentialId: z.uuid(),
    email: z.string(),
    domain: z.string(),
    /** The bot's browser sends the ticket to this address once, as the cookie. */
    signInUrl: z.url(),
    ticketCookie: z.string(),
    ticket: z.string(),
  }),
  z.object({ platform: z.literal('teams'), credentialId: z.uuid(), email: z.string(), password: z.string() }),
]);
export type SignInCredentials = z.infer<typeof signInCredentials>;

export const signInReply = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('credentials'), credentials: signInCredentials }),
  loginUnavailable,
]);
export type SignInReply = z.infer<typeof signInReply>;

/** Null: missing; for the ticket also present more than once. */
export const meetSignInCall = z.object({
  samlRequest: z.string().nullable(),
  relayState: z.string().nullable(),
  ticket: z.string().nullable(),
});
export const meetSignOutCall = meetSignInCall.omit({ ticket: true });
export const ssoPage = z.object({
  status: z.int(),
  html: z.string(),
  /** The value of the header `content-security-policy`. */
  policy: z.string(),
  /** Where the browser is redirected; null: nowhere. */
  location: z.string().nullable(),
});
export type SsoPage = z.infer<typeof ssoPage>;

/**
 * Body of a batch as the gateway forwards it: every item of the request, in its order. An invalid item has its error;
 * the others have their defaults filled in.
 */
export const batchRequest = z.object({
  items: z
    .array(
      z.union([
        z.object({ index: z.int().nonnegative(), body: z.record(z.string(), z.unknown()) }),
        z.object({
          index: z.int().nonnegative(),
          error: z.object({ code: z.string(), message: z.string(), details: z.string().nullable() }),
        }),
      ]),
    )
    .min(1)
    .max(100),
});
export type BatchRequest = z.infer<typeof batchRequest>;
