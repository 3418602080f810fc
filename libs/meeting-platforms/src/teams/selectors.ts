import type { CaptionControls, KnownDialog, PageClient, PageSnapshot } from '../web-client/page-client.ts';

/**
 * Selectors of Teams' page, as data. Each list is ordered by stability: `data-tid` and ids, then English labels, then
 * texts. Labels gain suffixes, so they are matched by prefix.
 */
export const teamsSelectors = {
  continueInBrowser: [
    '[data-tid="joinOnWeb"]',
    '[data-tid="joinOnWebButton"]',
    'button[data-tid="continue-on-browser"]',
    ...[
      'Continue on this browser',
      'Join meeting from this browser',
      'Join on this browser',
      'Join on the web instead',
      'Use the web app instead',
      'Watch on the web instead',
      'Continue without the app',
      'Join from browser',
    ].flatMap((label) => [
      `:is(button,a,[role="button"])[aria-label^="${label}"]`,
      `:is(button,a,[role="button"]):has-text("${label}")`,
    ]),
  ],
  nameField: [
    'input[data-tid="prejoin-display-name-input"]',
    '[data-tid="prejoin-display-name-input"] input',
    'input[data-tid="guest-name-input"]',
    'input[placeholder="Type your name"]',
    'input[type="text"][placeholder*="name" i]',
  ],
  joinButton: [
    'button[data-tid="prejoin-join-button"]',
    '#prejoin-join-button',
    'button[aria-label^="Join now"]',
    'button:text-is("Join now")',
    'button:text-is("Ask to join")',
    'button:text-is("Join meeting")',
  ],
  microphoneOn: [
    ':is([data-tid="toggle-mute"],[data-tid="microphone-button"],#microphone-button)[aria-label^="Turn mic off"]',
    ':is([data-tid="toggle-mute"],[data-tid="microphone-button"],#microphone-button)[aria-label^="Mute"]',
    '[data-tid="toggle-mute"]:not([aria-label]):is([aria-pressed="true"],[aria-checked="true"],:checked)',
  ],
  microphoneOff: [
    ':is([data-tid="toggle-mute"],[data-tid="microphone-button"],#microphone-button)[aria-label^="Turn mic on"]',
    ':is([data-tid="toggle-mute"],[data-tid="microphone-button"],#microphone-button)[aria-label^="Unmute"]',
    '[data-tid="toggle-mute"]:not([aria-label]):is([aria-pressed="false"],[aria-checked="false"],input:not(:checked))',
  ],
  cameraOn: [
    ':is([data-tid="toggle-video"],[data-tid="camera-button"],#video-button)[aria-label^="Turn camera off"]',
    '[data-tid="toggle-video"]:not([aria-label]):is([aria-pressed="true"],[aria-checked="true"],:checked)',
  ],
  cameraOff: [
    ':is([data-tid="toggle-video"],[data-tid="camera-button"],#video-button)[aria-label^="Turn camera on"]',
    '[data-tid="toggle-video"]:not([aria-label]):is([aria-pressed="false"],[aria-checked="false"],input:not(:checked))',
  ],
  leave: [
    '[data-tid="hangup-main-btn"]',
    'button#hangup-button',
    '[data-tid="call-hangup"]',
    '[data-inp="hangup-button"]',
    'button[aria-label^="Leave ("]',
    // In the lobby.
    'button[data-tid="prejoin-cancel-button"]',
  ],
  confirmLeave: ['[role="dialog"] button:text-is("Leave")'],
  chatButton: ['button#chat-button', '[data-tid="chat-button"]', '[role="toolbar"] button[aria-label^="Chat"]'],
  chatInput: [
    '[data-tid="ckeditor"][role="textbox"]',
    '[role="textbox"][aria-label^="Type a message"]',
    '[contenteditable="true"][aria-label^="Type a message"]',
    '[contenteditable="true"][placeholder^="Type a message"]',
  ],
  chatSend: [
    '[data-tid="newMessageCommands-send"]',
    'button[name="send"]',
    '[data-tid="message-pane-layout"] button[aria-label^="Send"]',
  ],
  captionsMenu: ['#callingButtons-showMoreBtn', 'button[aria-label^="More"]'],
  captionsSubmenu: ['#LanguageSpeechMenuControl-id', '[role="menuitem"]:has-text("Language and speech")'],
  captionsOn: [
    '#closed-captions-button:not([aria-checked="true"])',
    '[data-tid="closed-captions-button"]:not([aria-checked="true"])',
    '[data-tid="call-captions-button"]:not([aria-checked="true"])',
    '[role="menuitemcheckbox"][aria-checked="false"]:has-text("live captions")',
    '[role^="menuitem"]:has-text("Turn on live captions")',
    '[role^="menuitem"]:has-text("Show live captions")',
  ],
} as const satisfies PageClient<PageSnapshot>['elements'];

/** Regions that languages without one are written with. */
const captionRegions: Readonly<Record<string, string>> = {
  ar: 'sa',
  cs: 'cz',
  cy: 'gb',
  da: 'dk',
  el: 'gr',
  en: 'us',
  et: 'ee',
  he: 'il',
  hi: 'in',
  ja: 'jp',
  ko: 'kr',
  nb: 'no',
  sl: 'si',
  sv: 'se',
  uk: 'ua',
  vi: 'vn',
  zh: 'cn',
};

/** The text is per viewer, the spoken language per meeting: it changes captions and transcript for all participants. */
export const teamsCaptions: CaptionControls = {
  turnOn: [{ element: 'captionsMenu' }, { element: 'captionsSubmenu', optional: true }, { element: 'captionsOn' }],
  keys: [],
  languageTag: (language) => {
    const tag = language.toLowerCase();
    return tag.includes('-') ? tag : `${tag}-${captionRegions[tag] ?? tag}`;
  },
  shown:
    '[data-tid="closed-caption-renderer-wrapper"],#closed-captions-button[aria-checked="true"],[data-tid="closed-captions-button"][aria-checked="true"],[role="menuitemcheckbox"][aria-checked="true"][aria-label*="live captions"]',
  strip: '[data-tid="closed-caption-renderer-wrapper"]',
  language: null,
};

/** Dialogs in front of the call, and the button that dismisses each. */
export const teamsDialogs: readonly KnownDialog[] = [
  {
    text: /are you sure you don't want (audio or video|audio|video)\?/i,
    what: 'device-warning',
    buttons: [
      'button:has-text("Continue without audio or video")',
      'button:has-text("Continue without audio")',
      'button:has-text("Continue without")',
    ],
  },
  {
    text: /is being (recorded|transcribed)|recording (has )?started|by joining, you are giving consent/i,
    what: 'notice',
    buttons: [
      'button:text-is("OK")',
      'button:has-text("Got it")',
      'button:text-is("Dismiss")',
      'button[aria-label^="Close"]',
    ],
  },
  {
    text: /got it|dismiss/i,
    what: 'hint',
    buttons: ['button:has-text("Got it")', 'button:text-is("Dismiss")', 'button[aria-label^="Close"]'],
  },
];

/** The selectors for the page script; plain CSS, evaluated inside the page. */
export const teamsPageSelectors = {
  stage: '[data-tid="stage-layout"],[data-test-segment-type="central"]',
  tile: '[data-stream-type][data-tid],[data-tid="stage-layout"] div[role="menuitem"],[data-cid="calling-participant-stream"]',
  /** Tiles whose `data-tid` is the name. */
  namedTile: '[data-stream-type][data-tid]',
  tileName: ['[data-tid="participant-info-nametag"]', 'span[title]'],
  screenTile: '[data-stream-type*="screen" i]',
  outline: '[data-tid="voice-level-stream-outline"]',
  speakingClass: 'vdi-frame-occlusion',
  /** Regions whose text is written by participants or contains their names. */
  participantsText:
    '[data-stream-type],[data-tid="stage-layout"],[data-tid="message-pane-layout"],[data-tid^="chat-pane"],[data-tid^="message-pane"],[role="tree"],[data-tid^="closed-caption"],textarea,[contenteditable],script,style,noscript,template',
  notices: 'h1,h2,[role="heading"],#calling-retry-screen-title',
  dialogs: '[role="dialog"],[aria-modal="true"]',
  nameField:
    '[data-tid="prejoin-display-name-input"],[data-tid="guest-name-input"],input[placeholder="Type your name"],input[type="text"][placeholder*="name" i]',
  joinButton: 'button[data-tid="prejoin-join-button"],#prejoin-join-button',
  webJoin: '[data-tid="joinOnWeb"],[data-tid="joinOnWebButton"],[data-tid="continue-on-browser"]',
  lobby: '[data-tid="lobby-screen"],[data-tid="lobby-waiting-screen"]',
  /** In the page even while the toolbar hides itself. */
  hangup: '#hangup-button,[data-tid="hangup-main-btn"],[data-tid="call-hangup"],[data-inp="hangup-button"]',
  callControls:
    '#callingButtons-showMoreBtn,#raisehands-button,#chat-button,#roster-button,[data-tid="roster-button"],#reaction-menu-button,#view-mode-button,#custom-view-button',
  callEnded: '[data-tid="call-ended-screen"],[data-tid="anon-meeting-end-screen-rejoin-button"]',
  signInForm: 'input[name="loginfmt"][type="email"],input[name="passwd"]',
  chatRow: '[data-tid="chat-pane-item"]',
  chatRowId: 'data-mid',
  chatText: '[data-tid="messageBodyContent"]',
  chatMessage: '[data-tid="chat-pane-message"]',
  chatSender: '[data-tid="message-author-name"]',
  chatTime: 'time[datetime]',
} as const;

export type TeamsPageSelectors = typeof teamsPageSelectors;
