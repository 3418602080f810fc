// Runs in our own page around the Meeting SDK: joins when Join is pressed, and stores the state of the SDK. The client
// of the SDK is the web client, so everything that reads that client is here too.
import { pageNow } from '@rapporteur/page-scripts/page-time';
import { postThrough } from '../page-post.page.ts';
import { installZoom } from '../zoom/client-driver.page.ts';
import type { ZoomPageDriver, ZoomPageOptions } from '../zoom/client-driver.page.ts';
import type { ZoomPageSnapshot } from '../zoom/page-state.ts';
import type { Signalling } from '../zoom/signalling.page.ts';
import { RecordingPermissionRequester, codeIn, fieldsOf, sdkOfPage } from './recording-right.page.ts';
import type { RecordingRight, RecordingRightLimits, ZoomMtg } from './recording-right.page.ts';

export type { RecordingRight } from './recording-right.page.ts';

export interface ZoomSdkPageOptions extends ZoomPageOptions {
  readonly origin: string;
  readonly leftAddress: string;
  /** The location of the SDK's own parts; null: the SDK's default. */
  readonly libraryAddress: string | null;
  /** Name of the binding that returns the credentials. */
  readonly credentialsName: string;
  /** Codes after which a retry may succeed, and its delay. */
  readonly again: {
    readonly authorizedUserAbsent: number;
    readonly notStarted: number;
    readonly passing: readonly number[];
    readonly authorizedUserMs: number;
    readonly hostMs: number;
    readonly passingMs: number;
    readonly mostPassing: number;
  };
  readonly recording: RecordingRightLimits;
}

export type SdkStage =
  | 'loading'
  | 'ready'
  | 'joining'
  | 'waiting-for-authorized-user'
  | 'waiting-for-host'
  | 'waiting-room'
  | 'in-meeting'
  | 'disconnected'
  | 'no-sdk'
  | 'no-obf-token'
  | 'no-zak-token'
  | 'failed'
  | 'over';

/** The state of the SDK, from its own events and errors. */
export interface SdkStatus {
  readonly stage: SdkStage;
  /** The error that settled it. */
  readonly code: number | null;
  /** The reason why the bot is out, as the SDK's number. */
  readonly leaveReason: number | null;
  readonly right: RecordingRight;
  readonly brought: { readonly obf: boolean; readonly zak: boolean };
}

/** The response of the binding. */
export type SdkCredentials =
  | {
      readonly given: true;
      readonly signature: string;
      readonly meetingNumber: string;
      readonly passWord: string;
      readonly tk: string | null;
      readonly obfToken: string | null;
      readonly zak: string | null;
    }
  | { readonly given: false; readonly missing: 'obf' | 'zak' };

export interface SdkChatPost {
  readonly kind: 'sdk-chat';
  readonly id: string;
  readonly senderId: string;
  readonly senderName: string;
  readonly text: string;
  readonly sentAtMs: number;
  readonly atMs: number;
}

/** A join that is retried after a reload of the page. */
interface Again {
  readonly name: string;
  readonly stage: SdkStage;
  readonly failures: number;
}

type SdkGlobal = Record<string, unknown> & { rapporteurZoom?: ZoomPageDriver };

const againKey = 'rapporteur-again';
const statusKey = 'rapporteur-status';
const sdkPollMs = 50;
const sdkTimeoutMs = 40_000;
/** Steps of joining, as the SDK counts them. */
const levels = { waitingForHost: 4, outOfWaitingForHost: 5, waitingRoom: 6, outOfWaitingRoom: 7, joinsAudio: 13 };
const disconnected = 3;
/** The SDK reports the start of speech, and never its end. */
const speaksForMs = 1_500;

function takeAgain(): Again | null {
  const kept = sessionStorage.getItem(againKey);
  sessionStorage.removeItem(againKey);
  return kept === null ? null : (JSON.parse(kept) as Again);
}

/** One load of the page: begins with the form or a retried join, and ends with a code or a reason. */
class SdkJoin {
  readonly #sdk: ZoomMtg;
  readonly #options: ZoomSdkPageOptions;
  readonly #page: SdkGlobal;
  readonly #receive: (message: Signalling) => void;
  readonly #keep: (change: Partial<SdkStatus>) => void;
  readonly #status: () => SdkStatus;
  readonly #requester: RecordingPermissionRequester;
  readonly #failuresBefore: number;
  #name = '';
  #quiet: ReturnType<typeof setTimeout> | undefined;

  constructor(
    sdk: ZoomMtg,
    page: { options: ZoomSdkPageOptions; global: SdkGlobal; receive: (message: Signalling) => void },
    sdkStatus: { get: () => SdkStatus; keep: (change: Partial<SdkStatus>) => void; failuresBefore: number },
  ) {
    this.#sdk = sdk;
    this.#options = page.options;
    this.#page = page.global;
    this.#receive = page.receive;
    this.#status = sdkStatus.get;
    this.#keep = sdkStatus.keep;
    this.#failuresBefore = sdkStatus.failuresBefore;
    this.#listen();
    this.#requester = new RecordingPermissionRequester(sdk, page.options.recording, (right) => this.#keep({ right }));
  }

  requestRecording(): void {
    this.#requester.sendRequest();
  }

  async join(name: string): Promise<void> {
    this.#name = name;
    const sendRequest = this.#page[this.#options.credentialsName] as (wanted: null) => Promise<SdkCredentials | null>;
    const credentials = await sendRequest(null);
    if (credentials === null) return this.#keep({ stage: 'failed', code: 1 });
    if (!credentials.given) return this.#keep({ stage: `no-${credentials.missing}-token` });
    const { given: _given, tk, obfToken, zak, ...fields } = credentials;
    this.#keep({ brought: { obf: obfToken !== null, zak: zak !== null } });
    const failed = (given: unknown): void => this.#failed(codeIn(given) ?? 1);
    this.#sdk.init({
      leaveUrl: this.#options.leftAddress,
      patchJsMedia: true,
      leaveOnPageUnload: true,
      disablePreview: true,
      enableWaitingRoomPreview: false,
      isShowJoiningErrorDialog: false,
      disableInvite: true,
      disableCallOut: true,
      defaultView: 'speaker',
      success: () =>
        this.#sdk.join({
          ...fields,
          userName: name,
          ...(tk === null ? {} : { tk }),
          ...(obfToken === null ? {} : { obfToken }),
          ...(zak === null ? {} : { zak }),
          success: () => undefined,
          error: failed,
        }),
      error: failed,
    });
  }

  #listen(): void {
    const on = (event: string, listener: (fields: Readonly<Record<string, unknown>>) => void): void =>
      this.#sdk.inMeetingServiceListener(event, (given) => listener(fieldsOf(given)));
    on('onJoinSpeed', ({ level }) => this.#reached(level));
    on('onMeetingStatus', (fields) => {
      const code = codeIn(fields);
      if (code !== null) return this.#failed(code);
      const status = fields['meetingStatus'] ?? fields['status'];
      if (status === disconnected && this.#status().stage === 'in-meeting') this.#keep({ stage: 'disconnected' });
      if (status === 2 && this.#status().stage === 'disconnected') this.#keep({ stage: 'in-meeting' });
    });
    on('onUserJoin', (user) => this.#seeUser(user));
    on('onUserUpdate', (user) => this.#seeUser(user));
    on('onUserLeave', ({ userId, reasonCode }) => {
      if (typeof userId === 'number') this.#receive({ kind: 'roster', present: [], gone: [participantId(userId)] });
      else if (typeof reasonCode === 'number') this.#keep({ stage: 'over', leaveReason: reasonCode });
    });
    this.#sdk.inMeetingServiceListener('onActiveSpeaker', (given) => this.#receiveSpeakers(given));
    on('onReceiveChatMsg', (message) => this.#receiveChat(message));
  }

  #reached(level: unknown): void {
    if (level === levels.waitingForHost) this.#keep({ stage: 'waiting-for-host' });
    if (level === levels.waitingRoom) this.#keep({ stage: 'waiting-room' });
    if (level === levels.outOfWaitingForHost || level === levels.outOfWaitingRoom) this.#keep({ stage: 'joining' });
    if (level === levels.joinsAudio) this.#keep({ stage: 'in-meeting' });
  }

  #failed(code: number): void {
    const { stage } = this.#status();
    if (stage === 'failed' || stage === 'over') return;
    const { again } = this.#options;
    const failures = this.#failuresBefore;
    const before = stage !== 'in-meeting' && stage !== 'disconnected';
    if (before && code === again.authorizedUserAbsent)
      return this.#tryAgain('waiting-for-authorized-user', failures, again.authorizedUserMs);
    if (before && code === again.notStarted) return this.#tryAgain('waiting-for-host', failures, again.hostMs);
    const passes = again.passing.includes(code);
    if (before && passes && failures < again.mostPassing)
      return this.#tryAgain('joining', failures + 1, again.passingMs);
    // In the meeting these report a failed operation, not that the bot is out.
    if (before || !passes) this.#keep({ stage: 'failed', code });
  }

  #tryAgain(stage: SdkStage, failures: number, afterMs: number): void {
    this.#keep({ stage });
    const again: Again = { name: this.#name, stage, failures };
    setTimeout(() => {
      sessionStorage.setItem(againKey, JSON.stringify(again));
      location.reload();
    }, afterMs);
  }

  #seeUser({ userId, userName, isHost }: Readonly<Record<string, unknown>>): void {
    if (typeof userId !== 'number') return;
    const name = typeof userName === 'string' && userName !== '' ? userName : null;
    const host = typeof isHost === 'boolean' ? isHost : null;
    this.#receive({ kind: 'roster', present: [{ id: participantId(userId), name, isHost: host }], gone: [] });
    if (host === true) this.#requester.hostSeen();
  }

  #receiveSpeakers(given: unknown): void {
    const entries = Array.isArray(given) ? given.slice(0, 50) : [];
    const ids = entries.map((entry) => fieldsOf(entry)['userId']).filter((id) => typeof id === 'number');
    this.#receive({ kind: 'active', ids: ids.map(participantId) });
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#receive({ kind: 'active', ids: [] }), speaksForMs);
  }

  #receiveChat({ senderId, sender, content }: Readonly<Record<string, unknown>>): void {
    const { messageId, text, t } = fieldsOf(content);
    if (typeof text !== 'string' || typeof senderId !== 'number' || typeof messageId !== 'string') return;
    const nowMs = pageNow();
    const sentAtMs = Number(t);
    const senderName = typeof sender === 'string' ? sender : '';
    const close = Math.abs(sentAtMs - nowMs) < 60_000;
    postThrough<SdkChatPost>(this.#options.postName)({
      kind: 'sdk-chat',
      id: messageId,
      senderId: participantId(senderId),
      senderName,
      text,
      sentAtMs: close ? sentAtMs : nowMs,
      atMs: nowMs,
    });
  }
}

/** The lower bits of a number of the SDK count a participant's streams. */
function participantId(userId: number): string {
  return String(userId - (userId % 1_024));
}

/** Calls back with the SDK once its scripts have run, or with null when they do not. */
function whenSdkIsThere(found: (sdk: ZoomMtg | null) => void): void {
  const until = performance.now() + sdkTimeoutMs;
  const sample = (): void => {
    const sdk = document.readyState === 'complete' ? sdkOfPage() : null;
    if (sdk === null && performance.now() < until) setTimeout(sample, sdkPollMs);
    else found(sdk);
  };
  sample();
}

function showForm(join: (name: string) => void): void {
  const form = document.getElementById('rapporteur-join');
  const name = form?.querySelector('input');
  form?.removeAttribute('hidden');
  form?.querySelector('button')?.addEventListener('click', () => {
    form.remove();
    join(name?.value ?? '');
  });
}

export function install(options: ZoomSdkPageOptions): void {
  if (globalThis.top !== globalThis.self || location.origin !== options.origin) return;
  const receive = installZoom(options);
  const page = globalThis as unknown as SdkGlobal;
  const fresh: SdkStatus = {
    stage: 'loading',
    code: null,
    leaveReason: null,
    right: 'unasked',
    brought: { obf: false, zak: false },
  };
  const again = takeAgain();
  const isOver = location.href === options.leftAddress;
  const kept = isOver ? sessionStorage.getItem(statusKey) : null;
  let sdkStatus: SdkStatus = kept === null ? fresh : (JSON.parse(kept) as SdkStatus);
  if (isOver && sdkStatus.leaveReason === null && sdkStatus.code === null) sdkStatus = { ...sdkStatus, stage: 'over' };
  if (again !== null) sdkStatus = { ...sdkStatus, stage: again.stage };
  const keep = (change: Partial<SdkStatus>): void => {
    sdkStatus = { ...sdkStatus, ...change };
    sessionStorage.setItem(statusKey, JSON.stringify(sdkStatus));
  };
  let joining: SdkJoin | null = null;
  const { snapshot, setSelf, startCaptions } = page.rapporteurZoom!;
  const driver: ZoomPageDriver & { snapshot(): ZoomPageSnapshot & { sdk: SdkStatus }; requestRecording(): void } = {
    snapshot: () => ({ ...snapshot(), sdk: sdkStatus }),
    setSelf,
    startCaptions,
    requestRecording: () => joining?.requestRecording(),
  };
  page.rapporteurZoom = driver;
  if (isOver) return;
  whenSdkIsThere((sdk) => {
    if (sdk === null) return keep({ stage: 'no-sdk' });
    if (options.libraryAddress !== null) sdk.setZoomJSLib(options.libraryAddress, '/av');
    sdk.preLoadWasm();
    sdk.prepareWebSDK();
    const join = new SdkJoin(
      sdk,
      { options, global: page, receive },
      { get: () => sdkStatus, keep, failuresBefore: again?.failures ?? 0 },
    );
    joining = join;
    const begin = (name: string): void => {
      if (again === null) keep({ stage: 'joining' });
      void join.join(name).catch(() => keep({ stage: 'failed', code: 1 }));
    };
    if (again !== null) return begin(again.name);
    keep({ stage: 'ready' });
    showForm(begin);
  });
}
