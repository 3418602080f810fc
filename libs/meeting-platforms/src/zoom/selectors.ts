import type { CaptionControls, KnownDialog, PageClient, PageSnapshot } from '../web-client/page-client.ts';

/**
 * Selectors of Zoom's pages, as data: the React client, the classic one and the SDK's view. Each list is ordered by
 * stability: ids, then labels, then texts.
 */
export const zoomSelectors = {
  continueInBrowser: [
    'a[web_client]',
    'a:has-text("Join from your browser")',
    'button:has-text("Join from your browser")',
    'a:has-text("Join from browser")',
  ],
  nameField: ['#input-for-name', '#inputname', 'input[placeholder="Your Name" i]'],
  passcodeField: ['#input-for-pwd', 'input[placeholder*="passcode" i]', 'input[type="password"]'],
  // Without a real key press in the name field the button keeps its class and does nothing.
  joinButton: [
    'button.preview-join-button:not(.disabled)',
    '#joinBtn:not(.disabled)',
    'button:text-is("Join"):not(.disabled)',
  ],
  // Before joining, then in the call.
  microphoneOn: ['#preview-audio-control-button[aria-label^="Mute" i]', 'button[aria-label^="mute my microphone" i]'],
  microphoneOff: [
    '#preview-audio-control-button[aria-label^="Unmute" i]',
    'button[aria-label^="unmute my microphone" i]',
  ],
  cameraOn: ['#preview-video-control-button[aria-label^="Stop Video" i]', 'button[aria-label^="stop my video" i]'],
  cameraOff: ['#preview-video-control-button[aria-label^="Start Video" i]', 'button[aria-label^="start my video" i]'],
  leave: ['[footer-section="right"] button[aria-label="Leave"]', 'button[aria-label="Leave"]', 'button.leave-btn'],
  confirmLeave: ['button.leave-meeting-options__btn--danger', 'button:text-is("Leave Meeting")'],
  participantsButton: ['button[aria-label*="participants list" i]', 'button[aria-label^="participants" i]'],
  chatButton: ['button[aria-label*="chat panel" i]', 'button[aria-label^="chat" i]'],
  chatInput: ['.chat-rtf-box__editor-outer [contenteditable="true"]', '[role="textbox"][aria-label^="Type message" i]'],
  moreControls: ['button[aria-label^="More meeting control" i]', '#moreButton'],
  stopIncomingVideo: ['a[aria-label="Stop Incoming Video" i]', '[role="menuitem"]:has-text("Stop Incoming Video")'],
  startIncomingVideo: ['a[aria-label="Start Incoming Video" i]', '[role="menuitem"]:has-text("Start Incoming Video")'],
  chatSend: ['button.chat-rtf-box__send', 'button[aria-label="send" i]'],
  captionsMenu: ['[aria-label="More meeting control "]', '[aria-label^="More meeting control" i]', '#moreButton'],
  captionsSubmenu: ['a[aria-label="Captions"]', '[role="menuitem"]:text-is("Captions")'],
  captionsOn: [
    'a[aria-label="Your caption settings grouping Show Captions"]',
    '[aria-label$="Show Captions"]',
    '[role="menuitem"]:has-text("Show Captions")',
  ],
  captionLanguage: ['input.transcription-language__input'],
  captionsConfirm: ['.zm-modal button.zm-btn--primary:text-is("Save")', '[role="dialog"] button:text-is("Save")'],
} as const satisfies PageClient<PageSnapshot>['elements'];

/**
 * The strip is per viewer, the language per meeting: the participant who turns captions on first may choose it for all.
 */
export const zoomCaptions: CaptionControls = {
  turnOn: [
    { element: 'captionsMenu' },
    { element: 'captionsSubmenu' },
    { element: 'captionsOn' },
    { element: 'captionLanguage', optional: true, takesLanguage: true },
    { element: 'captionsConfirm', optional: true },
  ],
  keys: [],
  languageTag: null,
  shown: '.live-transcription-subtitle__box,[aria-label$="Hide Captions"]',
  strip: '.live-transcription-subtitle__box,.lt-subtitle-wrap',
  language: null,
};

/** Dialogs in front of the call, and the button that dismisses each. */
export const zoomDialogs: readonly KnownDialog[] = [
  {
    // Without consent the page never joins the audio of the meeting, and the recording would be silent.
    text: /do you want people to (see|hear) you in the meeting|use microphone and camera/i,
    what: 'media-permission',
    buttons: ['usermedia', 'button:text-is("Allow")', 'button:has-text("Use microphone and camera")'],
  },
  {
    text: /cookie/i,
    what: 'cookies',
    buttons: ['#onetrust-reject-all-handler', '#onetrust-accept-btn-handler', 'button:has-text("Accept Cookies")'],
  },
  {
    text: /i agree|terms of (service|use)|disclaimer/i,
    what: 'terms',
    buttons: ['#wc_agree1', 'button:has-text("I Agree")', 'button:text-is("Agree")'],
  },
  {
    text: /is being (recorded|transcribed)|recording|by continuing/i,
    what: 'notice',
    buttons: ['button:has-text("Got it")', 'button:text-is("Continue")', 'button:text-is("OK")'],
  },
  {
    text: /cannot detect your (camera|microphone)/i,
    what: 'device',
    buttons: ['button[aria-label="close" i]', 'button:text-is("OK")'],
  },
  { text: /got it|\bok\b/i, what: 'hint', buttons: ['button:has-text("Got it")', 'button:text-is("OK")'] },
];

/** Regions that are dialogs, hints among them. Plain CSS: evaluated in the page and by Playwright. */
export const zoomDialogRegion =
  '[role="dialog"],[aria-modal="true"],.ReactModal__Overlay--after-open,.pepc-permission-dialog,.zm-modal,.relative-tooltip,.settings-feature-tips,#onetrust-banner-sdk';

/** The selectors for the page script; plain CSS, evaluated inside the page. */
export const zoomPageSelectors = {
  /** Regions whose text is written by participants or contains their names. */
  participantsText:
    '.chat-virtuoso-wrapper,#chat-list-content,[aria-label="Chat Message List"],[id^="chat-message-"],.new-chat-message__container,.chat-container,.chat-rtf-box__editor-outer,.video-avatar__avatar-footer,.participants-item__item-layout,.participants-li,[role="list"][aria-label^="participants" i],#live-transcription-subtitle,.live-transcription-subtitle__box,textarea,script,style,noscript,template',
  notices: 'h1,h2,[role="heading"],[role="alert"],.zm-modal-body-title,[aria-label="Meeting is end now"]',
  endedLabel: '[aria-label="Meeting is end now"]',
  dialogs: zoomDialogRegion,
  browserLink: 'a[web_client],a[href*="/wc/"]',
  nameField: '#input-for-name,#inputname,input[placeholder="Your Name" i]',
  passcodeField: '#input-for-pwd,input[placeholder*="passcode" i],input[type="password"]',
  joinButton: 'button.preview-join-button,#joinBtn',
  waitingRoom: '.waiting-room-container',
  leave: 'button[aria-label="Leave"],button.leave-btn',
  footer: '#wc-footer',
  challenge: 'iframe[src*="recaptcha"]',
  /** One participant's place in the video; none of these are hidden. */
  tile: '.single-main-container__video-frame,.speaker-active-container__video-frame,.speaker-bar-container__video-frame,.gallery-video-container__video-frame',
  tileName: '.video-avatar__avatar-footer span',
  tileActive: '[class*="__video-frame--active"]',
  /** Where no video belongs to one participant: one with all participants. */
  stage: '#video-share-layout canvas,#main-video,.single-main-container canvas,.speaker-active-container canvas',
  sharedScreen: '[class*="sharee-container"] canvas,[class*="sharee-container"] video',
  participant: '.participants-item__item-layout,[role="list"][aria-label^="participants" i] .participants-li',
  participantName: '.participants-item__display-name',
  participantLabel: '.participants-item__name-label',
  chatList: '[aria-label="Chat Message List"],#chat-list-content,.chat-virtuoso-wrapper',
  chatRow: '[aria-label="Chat Message List"] [role="row"][aria-label],#chat-list-content [role="row"][aria-label]',
  chatRowId: '[id^="chat-message-"]',
} as const;

export type ZoomPageSelectors = typeof zoomPageSelectors;
