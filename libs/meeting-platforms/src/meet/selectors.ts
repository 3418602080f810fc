import type { CaptionControls, KnownDialog, PageClient, PageSnapshot } from '../web-client/page-client.ts';

/**
 * Selectors of Meet's page, as data. Each list is ordered by stability: stable attributes, then English labels, then
 * icon names. Labels gain suffixes, so they are matched by prefix.
 */
export const meetSelectors = {
  nameField: [
    'input[jsname="YPqjbf"][type="text"]',
    'input[type="text"][aria-label="Your name"]',
    'input[type="text"][placeholder*="name" i]',
    'input[type="text"][aria-label="Ihr Name"]',
    'input[type="text"][aria-label="Az Ön neve"]',
    'input[jsname][type="text"]',
    'input[type="text"][maxlength="60"]',
  ],
  joinButton: [
    'button[jsname="Qx7uuf"]',
    'button[aria-label^="Ask to join"]',
    'button[aria-label^="Join now"]',
    'button:has(span:text-is("Ask to join"))',
    'button:has(span:text-is("Join now"))',
    'button:has(span:text-is("Ask to join anyway"))',
    'button:has(span:text-is("Join the call now"))',
    'button:has(span:text-is("Join anyway"))',
    'button:has(span:text-is("Join here too"))',
    'button:has(span:text-is("Join meeting"))',
    'button:has-text("Ask to join")',
    // German and Hungarian
    'button:has(span:text-matches("^(Trotzdem )?Teilnahme erbitten$"))',
    'button:has(span:text-matches("^(Jetzt|Trotzdem|Auch hier|Jetzt am Anruf|An Videokonferenz) teilnehmen$"))',
    'button:has(span:text-matches("^Csatlakozás"))',
  ],
  microphoneOn: [
    ':is(button,[role="button"])[data-is-muted="false"][aria-label*="microphone" i]',
    ':is(button,[role="button"])[aria-label^="Turn off microphone"]',
    ':is(button,[role="button"])[data-is-muted="false"]:has(i:text-is("mic"))',
  ],
  cameraOn: [
    ':is(button,[role="button"])[data-is-muted="false"][aria-label*="camera" i]',
    ':is(button,[role="button"])[aria-label^="Turn off camera"]',
    ':is(button,[role="button"])[data-is-muted="false"]:has(i:text-is("videocam"))',
  ],
  microphoneOff: [
    ':is(button,[role="button"])[data-is-muted="true"][aria-label*="microphone" i]',
    ':is(button,[role="button"])[aria-label^="Turn on microphone"]',
    ':is(button,[role="button"])[data-is-muted="true"]:has(i:text-is("mic_off"))',
  ],
  cameraOff: [
    ':is(button,[role="button"])[data-is-muted="true"][aria-label*="camera" i]',
    ':is(button,[role="button"])[aria-label^="Turn on camera"]',
    ':is(button,[role="button"])[data-is-muted="true"]:has(i:text-is("videocam_off"))',
  ],
  leave: ['button[jsname="CQylAd"]', 'button[aria-label^="Leave call"]', 'button:has(i:text-is("call_end"))'],
  confirmLeave: ['button:has-text("Leave meeting")', 'button:has-text("Just leave the call")'],
  chatButton: [
    'nav button[data-panel-id="2"]',
    'button[aria-label^="Chat with everyone"]',
    'button[aria-label^="In-call messages"]',
    'button:has(i:text-is("chat"))',
  ],
  chatInput: [
    'textarea[aria-label^="Send a message"]',
    'textarea[placeholder^="Send a message"]',
    '[role="textbox"][aria-label^="Send a message"]',
    '[aria-label^="Send a message"] [contenteditable="true"]',
    'aside textarea[maxlength="500"]',
  ],
  chatSend: ['button[jsname="SoqoBf"]', 'button[aria-label^="Send a message"]', 'button:has(i:text-is("send"))'],
  captionsOn: [
    'button[aria-label^="Turn on captions"]',
    'button[aria-label="Untertitel aktivieren"]',
    'button[aria-label="Feliratok bekapcsolása"]',
    'button:has(i:text-is("closed_caption_off"))',
  ],
  settingsMenu: ['button[jsname="NakZHc"]', 'button[aria-label="More options"]', 'button:has(i:text-is("more_vert"))'],
  settingsItem: ['[role="menuitem"]:has-text("Settings")', '[role="menuitem"]:has(i:text-is("settings"))'],
  captionSettings: [
    'button[jsname="z4Tpl"]',
    '[role="dialog"] [role="tab"]:has-text("Captions")',
    '[role="dialog"] button:has-text("Captions")',
  ],
  settingsClose: [
    '[role="dialog"] button[aria-label="Close dialog"]',
    '[role="dialog"] button[aria-label="Close dialogue"]',
  ],
} as const satisfies PageClient<PageSnapshot>['elements'];

/** Captions belong to the viewer: text and language are the bot's own. */
export const meetCaptions: CaptionControls = {
  turnOn: [{ element: 'captionsOn' }],
  keys: ['c', 'Control+c'],
  languageTag: null,
  shown:
    'button[aria-label^="Turn off captions"],button[aria-label="Untertitel deaktivieren"],button[aria-label="Feliratok kikapcsolása"],[role="region"][aria-label="Captions"],[role="region"][jsname="dsyhDe"]',
  strip: '[role="region"]:is([aria-label*="Captions" i],[aria-label="Untertitel"],[aria-label="Feliratok"])',
  language: {
    open: ['settingsMenu', 'settingsItem', 'captionSettings'],
    option: 'li[data-value]',
    attribute: 'data-value',
    close: 'settingsClose',
  },
};

/** Dialogs in front of the call, and the button that dismisses each. */
export const meetDialogs: readonly KnownDialog[] = [
  {
    text: /do you want people to (see and )?hear you in the meeting|dass andere sie (in|im|sehen|hören)\b|hogy mások (lássák|hallják)/i,
    what: 'media-permission',
    buttonsWithDevices: [
      'button:has-text("Use microphone and camera")',
      'button:text-matches("^(Use|Allow) (microphone|camera)")',
      'button:has-text("Mikrofon und Kamera verwenden")',
      'button:has-text("Mikrofon és kamera használata")',
    ],
    buttons: [
      'button:has-text("Continue without microphone and camera")',
      'button:has-text("Continue without microphone")',
      'button:has-text("Not now")',
      'button:has-text("Ohne Mikrofon und Kamera fortfahren")',
      'button:has-text("Folytatás mikrofon és kamera nélkül")',
    ],
  },
  {
    // Only acknowledged, never hidden: Meet drops a guest whose recording notice is not visible.
    text: /is being (recorded|transcribed)|(others|other people) may see your video differently|(is taking|will take|can take) notes|wird (aufgezeichnet|transkribiert)|gemini macht |(felvétel|átirat) készül|jegyzeteket készít/i,
    what: 'notice',
    buttons: [
      'button[data-mdc-dialog-action="ok"]',
      'button:has-text("Got it")',
      'button:has-text("Join now")',
      'button:has-text("Continue")',
      'button:has-text("Jetzt teilnehmen")',
      'button:has-text("Csatlakozás most")',
    ],
  },
  {
    text: /use without an account|ohne konto verwenden|használat fiók nélkül/i,
    what: 'account',
    buttons: [
      'button:has-text("Use without an account")',
      'button:has-text("Ohne Konto verwenden")',
      'button:has-text("Használat fiók nélkül")',
    ],
  },
  {
    text: /got it|dismiss|(microphone|camera) not found|(mikrofon|kamera) nicht gefunden|ok$|értem$/i,
    what: 'hint',
    buttons: [
      'button:has-text("Got it")',
      'button:has-text("Dismiss")',
      'button[aria-label="Close"]',
      'button:has(span:text-is("Ok"))',
      'button:has(span:text-is("Értem"))',
    ],
  },
];

/** The selectors for the page script; plain CSS, evaluated inside the page. */
export const meetPageSelectors = {
  tile: 'div[data-participant-id]',
  tileId: 'data-participant-id',
  tileName: ['[data-self-name]', 'span.notranslate', '.notranslate'],
  selfTile: '[data-self-name]',
  /** Labels beside the name on the tile of a shared screen. */
  screenLabels: ['Presentation', 'Präsentation', 'Prezentáció'] as readonly string[],
  effects: '[aria-label^="Backgrounds and effects"],[aria-label*="visual_effects"]',
  effectsIcon: 'visual_effects',
  /** Regions whose text is written by participants or contains their names. */
  participantsText:
    '[data-participant-id],[role="list"],[data-message-id],[role="region"][aria-label*="aption" i],[role="region"]:is([aria-label="Untertitel"],[aria-label="Feliratok"]),[aria-live="polite"][aria-label*="aption" i],textarea,script,style,noscript,template',
  notices: 'h1,h2,[role="heading"],[role="alert"],.roSPhc',
  dialogs: '[role="dialog"],[aria-modal="true"]',
  waiting: '[aria-label*="Please wait until" i],[aria-label*="waiting to be let in" i]',
  nameField:
    'input[jsname="YPqjbf"],input[aria-label="Your name"],input[type="text"][placeholder*="name" i],input[type="text"][jsname],input[type="text"][maxlength="60"]',
  leave: 'button[jsname="CQylAd"],button[aria-label^="Leave call"],button[aria-label="Anruf verlassen"]',
  icon: 'button i',
  leaveIcon: 'call_end',
  challenge: 'iframe[src*="recaptcha"]',
  speakingClasses: ['Oaajhc', 'HX2H7', 'wEsLMd', 'OgVli'],
  quietClasses: ['gjg47c'],
  speakingLevel: '[data-audio-level]:not([data-audio-level="0"])',
  anyLevel: '[data-audio-level]',
  chatRow: '[data-message-id]',
  chatRowId: 'data-message-id',
  chatText: 'div[jsname="dTKtvb"],.jO4O1',
  chatOwn: '.chmVPb',
  chatGroup: '.aops0b',
  chatSender: '.poVWob',
} as const;

export type MeetPageSelectors = typeof meetPageSelectors;
