// The page's life: pre-join -> lobby -> call -> over. The server decides; this file shows what it says.
import { signedInAccount } from '/page/elements.js';
import { applies } from '/page/faults.js';
import { OwnDevices } from '/page/own-devices.js';
import { Call } from './call.js';
import { useIds } from './elements.js';
import { showEndScreen, showHome, showSignIn } from './end-screens.js';
import { showLobby } from './lobby.js';
import { showCaptcha, showPreJoin } from './prejoin.js';
import { chooseLanguage } from './texts.js';

const CODE = /^\/([a-z]{3}-[a-z]{4}-[a-z]{3})\/?$/i;
const DEVICE_PATH = '/$rpc/google.rtc.meetings.v1.MeetingDeviceService/CreateMeetingDevice';

const devices = new OwnDevices();
/** What the participant chose before joining, kept through lobby and call. */
const choices = { name: '', microphone: choiceOf('microphone'), camera: choiceOf('camera') };
let welcome = {};
let call = null;
let self = null;
let attendeeId = '';
let over = false;

function choiceOf(kind) {
  const choice = {
    on: true,
    set: (on) => {
      choice.on = on;
      choice.repaint?.();
      devices.set(kind, on);
    },
  };
  return choice;
}

function start() {
  chooseLanguage('by-page');
  const code = CODE.exec(location.pathname)?.[1]?.toLowerCase();
  if (location.pathname === '/') return showHome();
  if (code === undefined) return showEndScreen('unknownCode', welcome);
  const socket = new WebSocket(`wss://${location.host}/ws/${code}`);
  socket.binaryType = 'arraybuffer';
  const send = (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
  const leave = () => {
    send({ kind: 'leave' });
    finish('left');
  };
  const page = { send, leave, code, finish };
  socket.addEventListener('message', ({ data }) => {
    if (data instanceof ArrayBuffer) call?.audioArrived(data);
    else receive(JSON.parse(data), page);
  });
  socket.addEventListener('close', () => {
    if (!over) finish('connectionLost');
  });
}

function finish(how) {
  if (over) return;
  over = true;
  devices.stop();
  call?.stop();
  call = null;
  showEndScreen(how, welcome);
}

function receive(message, page) {
  if (over || applies(message)) return;
  if (message.kind === 'welcome') prepare(message, page);
  else if (message.kind === 'lobby') {
    self = message.self;
    attendeeId = message.attendeeId;
    page.send({ kind: 'devices', ...devices.state });
    showLobby({ welcome, choices, self, leave: page.leave, devicesOpened: () => devices.turn });
  } else if (message.kind === 'admitted') {
    call = new Call({ ...page, devices, members: message.members, self, attendeeId, choices, welcome });
  } else if (message.kind === 'offer') call?.response(message.sdp);
  else if (message.kind === 'member') call?.memberChanged(message.member, message.status);
  else if (message.kind === 'chat') call?.chatArrived(message.message);
  else if (message.kind === 'caption') call?.captionArrived(message);
  else finish(message.kind);
}

function prepare(message, page) {
  welcome = message;
  chooseLanguage(welcome.language);
  useIds(welcome.ids);
  if (welcome.signInWall === 'page' && signedInAccount() === null) {
    over = true;
    return showSignIn();
  }
  if (welcome.notFound !== 'no') return finish('unknownCode');
  const block = () => {
    page.send({ kind: 'joinBlocked', name: choices.name });
    finish('blocked');
  };
  devices.listen((state) => page.send({ kind: 'devices', ...state }));
  if (!welcome.permissionSheet) void devices.open();
  showPreJoin(welcome, choices, {
    useDevices: () => void devices.open(),
    requestJoin: () => {
      if (welcome.blocked) block();
      // Nobody gets past a challenge that is not solved, however late it shows.
      else if (!welcome.captcha) void requestJoin(page);
    },
    block,
    ignored: (what, why) => page.send({ kind: 'pressIgnored', what, why }),
  });
  if (welcome.captcha) showCaptcha();
}

async function requestJoin(page) {
  // The response says what the site thinks of the guest; it lets the page go on either way.
  await fetch(DEVICE_PATH, { method: 'POST', headers: { 'x-meeting-code': page.code } }).catch(() => undefined);
  const decodesAudio = 'createEncodedStreams' in RTCRtpReceiver.prototype;
  page.send({ kind: 'requestJoin', name: choices.name, decodesAudio });
}

start();
