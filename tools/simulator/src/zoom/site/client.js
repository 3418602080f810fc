// The client's life: pre-join -> waiting room -> call -> over. The server decides; this file shows what it says.
import { late } from '/page/elements.js';
import { applies } from '/page/faults.js';
import { OwnDevices } from '/page/own-devices.js';
import { Call } from './call.js';
import { showEnd, showError, showSignIn, showWaiting, showWall } from './end.js';
import { findMeeting, meetingOf } from './meeting-link.js';
import { showPreJoin } from './prejoin.js';

const BOT_WALL_AFTER_MS = 5000;
const REQUEST_AGAIN_MS = 1500;
const LEAVE_AFTER_MS = 100;

const choices = { name: '', microphone: true, camera: true, allowed: true };
const devices = new OwnDevices();
let call = null;
let self = null;
let over = false;

async function start() {
  const link = meetingOf(location);
  const meeting = await findMeeting(link);
  if (meeting === null || meeting.zoom.hostNotStarted === 'error') return showError();
  const { zoom } = meeting;
  if (zoom.signInWall) return showSignIn();
  if (zoom.hostNotStarted === 'waits') showWaiting('Waiting for the host to start this meeting');
  const worker = new Worker('/static/signalling-worker.js');
  const send = (message) => worker.postMessage({ send: JSON.stringify(message) });
  const page = {
    zoom,
    choices,
    devices,
    code: link.code,
    needsPasscode: meeting.passcode === 'wrong',
    tryPasscode: async (passcode) => (await findMeeting({ ...link, passcode }))?.passcode === 'right',
    send,
    sendMedia: (content) => worker.postMessage({ send: content }, [content]),
    ignored: (what, why) => send({ kind: 'pressIgnored', what, why }),
    leave: () => {
      send({ kind: 'leave' });
      // The worker goes with the page: it gets a moment to say so.
      setTimeout(finish, LEAVE_AFTER_MS, 'left');
    },
  };
  worker.addEventListener('message', ({ data }) => {
    if (data.type === 'media') call?.media.take(data.data);
    else if (data.type === 'close') over || finish('connectionLost');
    else receive(JSON.parse(data.data), page);
  });
  worker.postMessage({ open: `wss://${location.host}/ws/${link.code}` });
}

function finish(how) {
  if (over) return;
  over = true;
  devices.stop();
  call?.stop();
  call = null;
  showEnd(how);
}

/** A meeting that begins later: the page asks until it has begun. */
function whenStarted(page, action) {
  if (page.zoom.hostNotStarted !== 'waits') return action();
  setTimeout(async () => {
    const meeting = await findMeeting({ code: page.code, passcode: '' });
    page.zoom.hostNotStarted = meeting?.zoom.hostNotStarted ?? 'no';
    whenStarted(page, action);
  }, REQUEST_AGAIN_MS);
}

function receive(message, page) {
  if (over || message.evt !== undefined) return call?.signalled(message);
  if (applies(message)) return;
  if (message.kind === 'welcome') {
    page.chat = message.chat;
    page.captions = message.captions;
    devices.listen((state) => page.send({ kind: 'devices', ...state }));
    whenStarted(page, () =>
      late(() =>
        showPreJoin(page, () => {
          if (page.zoom.botWall === 'at-join') return wall();
          page.send({ kind: 'requestJoin', name: choices.name });
        }),
      ),
    );
  } else if (message.kind === 'lobby') {
    self = message.self;
    page.send({ kind: 'devices', ...devices.state });
    showWaiting('Please wait, the meeting host will let you in soon.', { name: choices.name, tips: page.zoom.tips });
  } else if (message.kind === 'admitted') {
    call = new Call({ ...page, members: message.members, self });
    if (page.zoom.botWall === 'late') setTimeout(wall, BOT_WALL_AFTER_MS);
  } else if (message.kind === 'member') call?.memberChanged(message.member, message.status);
  else if (message.kind === 'chat') call?.chatArrived(message.message);
  else if (message.kind === 'caption') call?.captions.add(message.message);
  else finish(message.kind);
}

function wall() {
  over = true;
  call?.stop();
  call = null;
  showWall();
}

start();
