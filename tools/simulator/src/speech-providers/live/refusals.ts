import type { RefusalClass, SimulatedProvider } from '../vendor-rules.ts';

/** At the handshake: an HTTP status. Inside the session: frames and a close code. */
export type LiveRefusal = { readonly status: number } | { readonly frames: readonly string[]; readonly code: number };

type Refusals = Readonly<Partial<Record<RefusalClass, LiveRefusal>>>;

const frame = (code: number, message: object): LiveRefusal => ({ frames: [JSON.stringify(message)], code });
const assemblyai = (code: number, error: string) => frame(code, { type: 'Error', error_code: code, error });
const speechmatics = (code: number, type: string, reason: string) => frame(code, { message: 'Error', type, reason });
const soniox = (error_code: number, error_message: string) => frame(1_000, { tokens: [], error_code, error_message });
const elevenlabs = (message_type: string, error: string) => frame(1_008, { message_type, error });

/** As the vendors document them. A class that is missing is not known of the vendor. */
export const liveRefusals: Readonly<Record<SimulatedProvider, Refusals>> = {
  gladia: {
    key: { status: 401 },
    credit: { status: 402 },
    sessions: { status: 429 },
    age: { frames: [], code: 4_408 },
    parameter: { status: 400 },
  },
  deepgram: {
    key: { status: 401 },
    credit: { status: 402 },
    sessions: { status: 429 },
    age: { frames: [], code: 1_011 },
    parameter: { status: 400 },
  },
  assemblyai: {
    key: assemblyai(1_008, 'Unauthorized Connection: Missing Authorization header'),
    credit: assemblyai(1_008, 'Unauthorized Connection: Insufficient account balance'),
    sessions: assemblyai(3_009, 'Unauthorized Connection: Too many concurrent sessions'),
    age: assemblyai(3_008, 'Session Expired: Maximum session duration exceeded'),
    parameter: assemblyai(3_006, 'Invalid Message'),
  },
  speechmatics: {
    key: speechmatics(4_001, 'not_authorised', 'The user is not authorised.'),
    credit: speechmatics(4_003, 'insufficient_funds', 'There is no credit.'),
    contract: speechmatics(4_006, 'timelimit_exceeded', 'The usage quota for the contract has been reached.'),
    sessions: speechmatics(4_005, 'quota_exceeded', 'Max number of concurrent connections allowed reached.'),
    age: speechmatics(1_008, 'session_timeout', 'The session reached its longest duration.'),
    parameter: speechmatics(1_003, 'invalid_language', 'The language is not supported.'),
  },
  soniox: {
    key: soniox(401, 'Incorrect API key provided.'),
    credit: soniox(402, 'Organization balance exhausted.'),
    contract: soniox(402, 'Organization monthly budget exhausted.'),
    sessions: soniox(429, 'Concurrent requests limit for your organization has been exceeded.'),
    age: soniox(503, 'Cannot continue request (code 3). Please restart the request.'),
    parameter: soniox(400, 'Invalid model specified.'),
  },
  elevenlabs: {
    key: elevenlabs('auth_error', 'Invalid API key.'),
    credit: elevenlabs('quota_exceeded', 'The quota is exceeded.'),
    sessions: elevenlabs('resource_exhausted', 'No resources for a further session.'),
    age: elevenlabs('session_time_limit_exceeded', 'The session is too old.'),
    parameter: elevenlabs('input_error', 'The message is not valid.'),
  },
  openai: {},
  local: { key: { status: 401 }, sessions: { status: 503 } },
};
