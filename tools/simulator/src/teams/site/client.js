// The client's life: loading -> pre-join -> lobby -> call -> over. The server decides; this file shows what it says.
import { element, late, showScreen, signedInAccount } from '/page/elements.js';
import { applies } from '/page/faults.js';
import { OwnDevices } from '/page/own-devices.js';
import { Call } from './call.js';
import { showEnd } from './end.js';
import { findMeeting, meetingOf } from './meeting-link.js';
import { showHumanCheck, showLobby, showPreJoin, showVerify } from './prejoin.js';

const LOGIN = 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize';
/** Ends that only the signalling reports, where the meeting wants that. */
const REPORTED_BY_SIGNALLING = ['removed', 'meetingEnded', 'refused'];
const choices = { name: '', microphone: true, camera: true };
const devices = new OwnDevices();
const light = location.pathname.startsWith('/light-meetings');
const identities = new Map();
let call = null;
let self = null;
let attendeeId = '';
let over = false;

async function start() {
  const meeting = meetingOf(location.href);
  const teams = await findMeeting(meeting);
  if (teams === null) return finish('unknownCode');
  if (teams.signInWall === 'redirect' && signedInAccount() === null) return (top.location = LOGIN);
  const socket = new WebSocket(`wss://${location.host}/ws/${meeting.code}`);
  const send = (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
  const page = {
    teams,
    choices,
    devices,
    light,
    identities,
    code: meeting.code,
    send,
    leave: () => {
      send({ kind: 'leave' });
      finish('left');
    },
  };
  socket.addEventListener('message', ({ data }) => {
    // Frames of the service's signalling: bots read them, the page itself gets what it needs beside them.
    if (!data.startsWith('3:::')) receive(JSON.parse(data), page);
  });
  socket.addEventListener('close', () => {
    if (!over) finish('connectionLost');
  });
}

function finish(how) {
  over = true;
  devices.stop();
  call?.stop();
  call = null;
  loaded();
  showEnd(how);
}

/** The page falls back to nothing, as it does when its own part crashes. */
function vanish() {
  over = true;
  call?.stop();
  call = null;
  showScreen(element('div', { id: 'loading-screen' }));
}

function loaded() {
  document.getElementById('loading-screen')?.remove();
}

function receive(message, page) {
  if (over || applies(message)) return;
  const { teams } = page;
  if (message.kind === 'welcome') {
    page.captions = message.captions;
    late(() => showEntry(page));
  } else if (message.kind === 'lobby') {
    self = message.self;
    attendeeId = message.attendeeId;
    page.send({ kind: 'devices', ...devices.state });
    showLobby(page);
  } else if (message.kind === 'admitted') {
    call = new Call({ ...page, members: message.members, self, attendeeId });
    if (teams.roster === 'snapshot') void fetch(`/api/conversation/${page.code}/roster?attendee=${attendeeId}`);
  } else if (message.kind === 'identity') identities.set(message.deviceId, message.mri);
  else if (message.kind === 'offer') void call?.response(message.sdp);
  else if (message.kind === 'member') call?.memberChanged(message.member, message.status);
  else if (message.kind === 'chat') call?.chatArrived(message.message);
  else if (message.kind === 'caption') call?.captions.add(message);
  else if (message.kind === 'speaking') call?.paintSpeaking(message.deviceIds);
  else if (teams.ending === 'signalling' && REPORTED_BY_SIGNALLING.includes(message.kind)) vanish();
  else finish(message.kind === 'refused' && teams.signInWall === 'signalling' ? 'anonymousJoinDisabled' : message.kind);
}

function showEntry(page) {
  loaded();
  if (page.teams.signInWall === 'dialog' && signedInAccount() === null) return showVerify();
  if (page.teams.humanCheck !== 'none') return showHumanCheck(page.teams.humanCheck);
  devices.listen((state) => page.send({ kind: 'devices', ...state }));
  void devices.open();
  showPreJoin(page, () => page.send({ kind: 'requestJoin', name: page.choices.name }));
}

start();
