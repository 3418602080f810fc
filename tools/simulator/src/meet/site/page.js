// The page's life: pre-join -> lobby -> call -> over. The server decides; this file shows what it says.
import { Call } from './call.js';
import { showEndScreen, showHome } from './end-screens.js';
import { showLobby } from './lobby.js';
import { showPreJoin } from './prejoin.js';

const CODE = /^\/([a-z]{3}-[a-z]{4}-[a-z]{3})\/?$/i;

/** What the person chose before joining, kept through lobby and call. */
const choices = { name: '', microphone: { on: true }, camera: { on: true } };
let welcome = null;
let call = null;
let self = null;
let attendeeId = '';
let over = false;

function start() {
  const code = CODE.exec(location.pathname)?.[1]?.toLowerCase();
  if (location.pathname === '/') return showHome();
  if (code === undefined) return showEndScreen('unknownCode');
  const socket = new WebSocket(`wss://${location.host}/ws/${code}`);
  const send = (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
  const leave = () => {
    send({ kind: 'leave' });
    finish('left');
  };
  socket.addEventListener('message', (event) => receive(JSON.parse(event.data), { send, leave, code }));
  socket.addEventListener('close', () => {
    if (!over) finish('connectionLost');
  });
}

function finish(how) {
  over = true;
  call?.stop();
  call = null;
  showEndScreen(how);
}

function receive(message, page) {
  if (over) return;
  if (message.kind === 'welcome') prepare(message, page);
  else if (message.kind === 'lobby') {
    self = message.self;
    attendeeId = message.attendeeId;
    showLobby({ welcome, choices, self, leave: page.leave });
  } else if (message.kind === 'admitted') {
    call = new Call({ ...page, members: message.members, self, attendeeId, choices, welcome });
  } else if (message.kind === 'offer') call?.answer(message.sdp);
  else if (message.kind === 'member') call?.memberChanged(message.member, message.status);
  else if (message.kind === 'chat') call?.chatArrived(message.message);
  else finish(message.kind);
}

function prepare(message, page) {
  welcome = message;
  showPreJoin(welcome, choices, {
    knock: () => page.send({ kind: 'knock', name: choices.name }),
    block: () => {
      page.send({ kind: 'knockBlocked', name: choices.name });
      finish('blocked');
    },
  });
}

start();
