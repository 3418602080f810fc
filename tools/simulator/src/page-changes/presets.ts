import type { PlatformName } from '../sites/platforms.ts';
import type { PageChange } from './page-change.ts';

/** One kind of change, as each platform makes it. */
export interface PageChangePreset {
  readonly what: string;
  readonly changes: Readonly<Record<PlatformName, PageChange>>;
}

const humanCheck: PageChange = {
  gate: { heading: 'One more step', help: 'Press and hold the button to show that a human is joining' },
};

const meetLobbyTexts = [
  'Please wait until a meeting host brings you into the call',
  'Please wait until a meeting host admits you to the call',
  'Asking to be let in...',
  'You’ll join the call when someone lets you in',
  'Waiting for the host to join',
  "You're in the waiting room",
] as const;

const everyTextAs = (texts: readonly string[], to: string): Readonly<Record<string, string>> =>
  Object.fromEntries(texts.map((text) => [text, to]));

/** Kinds of changes that real pages went through: see "Pages that change" in docs/guides/simulator.md. */
export const pageChangePresets = {
  'renamed-attributes': {
    what: 'stable attributes have new values; labels and texts stay',
    changes: {
      meet: { attributes: { jsname: { YPqjbf: 'q8Lwze', Qx7uuf: 'bXc92d', CQylAd: 'hV3rnk', SoqoBf: 'wM0aPd' } } },
      teams: {
        attributes: {
          'data-tid': {
            joinOnWeb: 'launch-continue-web',
            'prejoin-display-name-input': 'greenroom-name',
            'prejoin-join-button': 'greenroom-enter',
            'hangup-main-btn': 'call-end-main',
            'newMessageCommands-send': 'compose-submit',
          },
          id: { 'prejoin-join-button': 'greenroom-enter' },
        },
      },
      zoom: {
        attributes: {
          id: { 'input-for-name': 'preview-name-field', inputname: 'preview-name-field', joinBtn: 'preview-enter' },
          class: { 'preview-join-button': 'preview-enter', 'chat-rtf-box__send': 'chat-composer__submit' },
        },
      },
    },
  },
  'other-labels': {
    what: 'the controls before joining have new attributes and new labels',
    changes: {
      meet: {
        attributes: { jsname: { YPqjbf: 'q8Lwze', Qx7uuf: 'bXc92d' } },
        texts: {
          'Your name': 'What should people call you?',
          'Ask to join': 'Request entry',
          'Join now': 'Enter now',
        },
      },
      teams: {
        attributes: {
          'data-tid': {
            'prejoin-display-name-input': 'greenroom-name',
            'prejoin-join-button': 'greenroom-enter',
            joinOnWeb: 'launch-continue-web',
          },
          id: { 'prejoin-join-button': 'greenroom-enter' },
        },
        texts: { 'Type your name': 'Enter your display name', 'Join now': 'Enter meeting' },
      },
      zoom: {
        attributes: {
          id: { 'input-for-name': 'preview-name-field', inputname: 'preview-name-field', joinBtn: 'preview-enter' },
          class: { 'preview-join-button': 'preview-enter' },
        },
        texts: { 'Your Name': 'Display as', Join: 'Enter meeting' },
      },
    },
  },
  'other-language': {
    what: 'the page has a language that the built-in pack does not have, whatever the browser prefers',
    changes: {
      meet: {
        attributes: { jsname: { YPqjbf: null, Qx7uuf: null, CQylAd: null } },
        texts: {
          'Ready to join?': 'Prêt à participer ?',
          'What’s your name?': 'Comment vous appelez-vous ?',
          'Your name': 'Votre nom',
          'Ask to join': 'Demander à participer',
          'Join now': 'Participer maintenant',
          'Turn off microphone': 'Désactiver le micro',
          'Turn on microphone': 'Activer le micro',
          'Turn off camera': 'Désactiver la caméra',
          'Turn on camera': 'Activer la caméra',
          ...everyTextAs(meetLobbyTexts, 'Veuillez patienter, un organisateur va vous faire entrer'),
          'Leave call': 'Quitter l’appel',
        },
      },
      teams: {
        attributes: { 'data-tid': { 'lobby-screen': 'vestibule', joinOnWeb: 'launch-continue-web' } },
        texts: {
          'Continue on this browser': 'Continuer sur ce navigateur',
          'Join meeting from this browser': 'Participer à la réunion depuis ce navigateur',
          'Type your name': 'Tapez votre nom',
          'Join now': 'Rejoindre maintenant',
          'Someone will let you in shortly': 'Quelqu’un va vous faire entrer sous peu',
          'We’ve let people in the meeting know you’re waiting': 'Les participants savent que vous attendez',
        },
      },
      zoom: {
        attributes: { class: { 'waiting-room-container': 'attente' } },
        texts: {
          'Join from your browser': 'Rejoindre depuis votre navigateur',
          'Your Name': 'Votre nom',
          Join: 'Rejoindre',
          'Do you want people to see you in the meeting?': 'Voulez-vous être vu par les autres participants ?',
          'Do you want people to hear you in the meeting?': 'Voulez-vous être entendu par les autres participants ?',
          Allow: 'Autoriser',
          'Continue without microphone and camera': 'Continuer sans micro ni caméra',
          'Please wait, the meeting host will let you in soon.': 'Veuillez patienter, l’hôte va vous faire entrer.',
          Leave: 'Quitter',
        },
      },
    },
  },
  'new-dialog': {
    what: 'a dialog makes the page before joining inert until it is acknowledged',
    changes: {
      meet: {
        dialog: {
          over: 'button[jsname="Qx7uuf"]',
          text: 'Guests of this call agree to the house rules of its organizer',
          button: 'I understand',
        },
      },
      teams: {
        dialog: {
          over: '#prejoin-join-button',
          text: 'Your organizer asks guests to accept a notice about privacy',
          button: 'Accept and go on',
        },
      },
      zoom: {
        dialog: {
          over: '.preview-join-button,#joinBtn',
          text: 'This account asks guests to read its notice',
          button: 'I have read it',
        },
      },
    },
  },
  'moved-chat': {
    what: 'the control of the chat has another place and other labels, and the panel other attributes',
    changes: {
      meet: {
        attributes: { 'data-panel-id': { '2': 'conversation' }, jsname: { SoqoBf: 'wM0aPd' } },
        texts: {
          'Chat with everyone': 'Conversation',
          chat: 'forum',
          'In-call messages': 'Conversation of this call',
          'Send a message': 'Write to everyone',
          send: 'north',
        },
        moves: [{ what: '[data-panel-id="conversation"]', into: '[role="toolbar"]' }],
      },
      teams: {
        attributes: {
          id: { 'chat-button': 'conversation-button' },
          'data-tid': { ckeditor: 'composer', 'newMessageCommands-send': 'composer-submit' },
        },
        texts: { Chat: 'Conversation', 'Type a message': 'Write something', Send: 'Submit' },
        moves: [{ what: '#conversation-button', into: '.stage' }],
      },
      zoom: {
        attributes: { class: { 'chat-rtf-box__editor-outer': 'composer', 'chat-rtf-box__send': 'composer__submit' } },
        texts: {
          'open the chat panel': 'open the conversation',
          'Type message here ...': 'Write something',
          send: 'submit',
        },
        moves: [{ what: '[aria-label="open the conversation"]', into: '[footer-section="right"]' }],
      },
    },
  },
  'human-check': {
    what: 'a check for humans is in place of the page before joining',
    changes: { meet: humanCheck, teams: humanCheck, zoom: humanCheck },
  },
  'redesigned-lobby': {
    what: 'the lobby has other texts and other elements',
    changes: {
      meet: { texts: everyTextAs(meetLobbyTexts, 'The organizer sees that you are here') },
      teams: {
        attributes: { 'data-tid': { 'lobby-screen': 'green-room' } },
        texts: {
          'Someone will let you in shortly': 'The organizer sees that you are here',
          'We’ve let people in the meeting know you’re waiting': 'Get comfortable',
        },
      },
      zoom: {
        attributes: { class: { 'waiting-room-container': 'foyer' } },
        texts: { 'Please wait, the meeting host will let you in soon.': 'The organizer sees that you are here' },
      },
    },
  },
  'redesigned-call': {
    what: 'the controls and the tiles of the call have other attributes and other labels',
    changes: {
      meet: {
        attributes: { jsname: { CQylAd: 'hV3rnk' } },
        texts: {
          'Leave call': 'Hang up',
          call_end: 'phone_disabled',
          'Turn on captions': 'Subtitles',
          'Chat with everyone': 'Conversation',
          ...everyTextAs(['People', 'Show everyone'], 'Who is here'),
          'Raise hand': 'Ask to speak',
          'Share screen': 'Present',
          'Meeting details': 'About this call',
        },
      },
      teams: {
        attributes: {
          id: {
            'hangup-button': 'end-call',
            'callingButtons-showMoreBtn': 'call-more',
            'raisehands-button': 'call-hand',
            'chat-button': 'call-chat',
            'roster-button': 'call-people',
            'reaction-menu-button': 'call-reactions',
            'view-mode-button': 'call-view',
          },
          'data-tid': { 'hangup-main-btn': 'end-call', 'roster-button': 'call-people' },
          'data-inp': { 'hangup-button': 'end-call' },
        },
        texts: { 'Leave (Ctrl+Shift+H)': 'Hang up', Chat: 'Conversation' },
      },
      zoom: {
        attributes: {
          id: { 'wc-footer': 'call-bar', 'video-share-layout': 'call-stage' },
          class: { 'single-main-container__video-frame': 'call-tile' },
        },
        texts: { Leave: 'Hang up' },
      },
    },
  },
} as const satisfies Readonly<Record<string, PageChangePreset>>;

export type PageChangeName = keyof typeof pageChangePresets;
export const pageChangeNames = Object.keys(pageChangePresets) as [PageChangeName, ...PageChangeName[]];
