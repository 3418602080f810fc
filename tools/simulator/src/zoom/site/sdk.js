// The Meeting SDK as far as a bot uses it: a client of the same room in a page of somebody else's origin. What it says
// and when is what the real one says; the parts of the web client are the same.
import { element } from '/page/elements.js';
import { applies } from '/page/faults.js';
import { OwnDevices } from '/page/own-devices.js';
import { Call } from './call.js';
import { showWaiting } from './end.js';
import { MediaCapture } from './sdk-recording.js';

const service = new URL('/', import.meta.url);
const FIRST_USER_ID = 16_778_240;
const LEAVE_AFTER_MS = 100;
const AUTHORIZED_USER_LEAVES_AFTER_MS = 3000;
/** Steps of joining, as `onJoinSpeed` counts them. */
const LEVEL = { join: 1, waitingRoom: 6, outOfWaitingRoom: 7, connected: 8, joinsAudio: 13, hasAudio: 14 };
const STATUS = { connecting: 1, connected: 2, disconnected: 3 };
const REASON = { hostEnded: 1, self: 2, removed: 6, removedFromWaitingRoom: 7 };
const AUTHORIZED_USER_ABSENT = 4017;
const AUTHORIZED_USER_LEFT = 4019;

const listeners = new Map();
const emit = (event, data) => listeners.get(event)?.forEach((listener) => listener(data));
const userIdOf = (member) => FIRST_USER_ID + Number(member.deviceId.split('/').at(-1)) * 1024;
const userOf = (member) => ({ userId: userIdOf(member), userName: member.name, isHost: member.isHost });

let leaveUrl = '/';
let session = null;

class ClientConnection {
  constructor(worker, { zoom, chat }, userName) {
    this.worker = worker;
    this.zoom = zoom;
    this.chat = chat;
    this.userName = userName;
    this.devices = new OwnDevices();
    this.capture = new MediaCapture(zoom.sdkRecording, emit);
    this.self = null;
    this.call = null;
    this.over = false;
    this.admitted = () => undefined;
  }

  send(message) {
    this.worker.postMessage({ send: JSON.stringify(message) });
  }

  receive(message) {
    if (this.over || message.evt !== undefined) return this.call?.signalled(message);
    if (applies(message)) return;
    if (message.kind === 'welcome') {
      this.chat = message.chat;
      this.captions = message.captions;
      this.devices.listen((state) => this.send({ kind: 'devices', ...state }));
      void this.devices.open();
      this.send({ kind: 'requestJoin', name: this.userName });
    } else if (message.kind === 'lobby') {
      this.self = message.self;
      emit('onJoinSpeed', { level: LEVEL.waitingRoom });
      showWaiting('Please wait, the meeting host will let you in soon.', { name: this.userName });
    } else if (message.kind === 'admitted') this.enter(message.members);
    else if (message.kind === 'member') this.memberChanged(message);
    else if (message.kind === 'chat') this.chatArrived(message.message);
    else if (message.kind === 'caption') this.call?.captions.add(message.message);
    else this.finish(message.kind);
  }

  enter(members) {
    const choices = { name: this.userName, microphone: true, camera: true, allowed: true };
    const page = {
      zoom: this.zoom,
      chat: this.chat,
      captions: this.captions,
      choices,
      devices: this.devices,
      self: this.self,
      members,
      send: (message) => this.send(message),
      sendMedia: (content) => this.worker.postMessage({ send: content }, [content]),
      leave: () => this.leave(),
    };
    for (const level of [LEVEL.outOfWaitingRoom, LEVEL.connected]) emit('onJoinSpeed', { level });
    this.call = new Call(page);
    emit('onMeetingStatus', { meetingStatus: STATUS.connected });
    for (const level of [LEVEL.joinsAudio, LEVEL.hasAudio]) emit('onJoinSpeed', { level });
    for (const member of members) if (member.parentDeviceId === undefined) this.notifyUser('onUserJoin', member);
    this.capture.hostIsThere(members.some(({ isHost }) => isHost));
    if (this.zoom.sdkAuthorizedUser === 'leaves') {
      setTimeout(() => this.finish('authorizedUserLeft'), AUTHORIZED_USER_LEAVES_AFTER_MS);
    }
    this.admitted();
  }

  notifyUser(event, member) {
    emit(event, { ...userOf(member), self: member.deviceId === this.self.deviceId });
  }

  memberChanged({ member, status }) {
    const joins = this.call?.members.has(member.deviceId) ? 'onUserUpdate' : 'onUserJoin';
    this.call?.memberChanged(member, status);
    if (member.parentDeviceId === undefined) this.notifyUser(status === 'inCall' ? joins : 'onUserLeave', member);
  }

  chatArrived(message) {
    this.call?.chatArrived(message);
    const senderId = FIRST_USER_ID + Number(message.deviceId.split('/').at(-1)) * 1024;
    const content = { messageId: message.messageId, text: message.text, t: String(message.sentAtMs) };
    emit('onReceiveChatMsg', { senderId, sender: message.senderName, receiver: 'Everyone', content });
  }

  leave() {
    this.send({ kind: 'leave' });
    setTimeout(() => this.finish('left'), LEAVE_AFTER_MS);
  }

  finish(how) {
    if (this.over) return;
    this.over = true;
    this.devices.stop();
    this.call?.stop();
    const reasons = {
      meetingEnded: REASON.hostEnded,
      removed: REASON.removed,
      refused: REASON.removedFromWaitingRoom,
      noResponse: REASON.removedFromWaitingRoom,
      left: REASON.self,
    };
    const reasonCode = reasons[how];
    if (reasonCode !== undefined) emit('onUserLeave', { reasonCode });
    const errorCode = how === 'authorizedUserLeft' ? AUTHORIZED_USER_LEFT : undefined;
    emit('onMeetingStatus', { meetingStatus: STATUS.disconnected, ...(errorCode === undefined ? {} : { errorCode }) });
    // A line that is lost stays on the page; whoever is out is led away.
    if (how !== 'connectionLost') setTimeout(() => location.assign(leaveUrl), LEAVE_AFTER_MS);
    this.worker.terminate();
  }
}

/** A page may only start workers of its own origin: the text of this one is brought there. */
async function startWorker() {
  const response = await fetch(new URL('/static/signalling-worker.js', service));
  const address = URL.createObjectURL(new Blob([await response.text()], { type: 'text/javascript' }));
  return new Worker(address);
}

async function requestJoin(fields) {
  const { signature, meetingNumber, passWord, obfToken, zak, tk } = fields;
  const body = JSON.stringify({ signature, meetingNumber: String(meetingNumber), passWord, obfToken, zak, tk });
  // A form's type, so that the browser does not ask first.
  const response = await fetch(new URL(`/sdk/join/${meetingNumber}`, service), { method: 'POST', body });
  return await response.json();
}

async function join(fields) {
  // The real one is talkative, too.
  console.log('join with', fields.obfToken ?? '', fields.signature);
  emit('onJoinSpeed', { level: LEVEL.join });
  emit('onMeetingStatus', { meetingStatus: STATUS.connecting });
  const reply = await requestJoin(fields);
  if (reply.errorCode === AUTHORIZED_USER_ABSENT) {
    emit('onMeetingStatus', { meetingStatus: STATUS.disconnected, ...reply });
    return;
  }
  if (reply.errorCode !== 0) {
    fields.error?.({ method: 'join', status: false, result: reply.errorMessage, ...reply });
    return;
  }
  const worker = await startWorker();
  session = new ClientConnection(worker, reply, fields.userName);
  session.admitted = () => fields.success?.({ method: 'join', status: true, errorCode: 0 });
  worker.addEventListener('message', ({ data }) => {
    if (data.type === 'media') session.call?.media.take(data.data);
    else if (data.type === 'close') session.finish('connectionLost');
    else session.receive(JSON.parse(data.data));
  });
  worker.postMessage({ open: `wss://${service.host}/sdk/ws/${fields.meetingNumber}` });
}

globalThis.ZoomMtg = {
  preLoadWasm: () => undefined,
  setZoomJSLib: () => undefined,
  prepareWebSDK: () => {
    if (document.getElementById('zmmtg-root') !== null) return;
    const css = new URL('/static/zoom.css', service).href;
    document.head.append(element('link', { rel: 'stylesheet', href: css }));
    const root = element('div', { id: 'zmmtg-root', style: 'display: none' }, element('div', { id: 'screen' }));
    document.body.append(root);
  },
  init: (given) => {
    leaveUrl = given.leaveUrl;
    document.getElementById('zmmtg-root').style.display = 'block';
    setTimeout(() => given.success?.({ method: 'init', status: true, errorCode: 0 }), 0);
  },
  join: (fields) => void join(fields).catch(() => fields.error?.({ method: 'join', errorCode: 1, status: false })),
  leaveMeeting: () => session?.leave(),
  inMeetingServiceListener: (event, listener) => {
    listeners.set(event, [...(listeners.get(event) ?? []), listener]);
  },
  mediaCapturePermission: (args) => session?.capture.request(args),
  mediaCapture: (args) => session?.capture.record(args),
  getWebSDKVersion: ({ success }) => success?.({ result: '6.2.0' }),
};
