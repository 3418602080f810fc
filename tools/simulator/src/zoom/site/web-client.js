// The address of the client. Where the client has a frame of its own, this page is only what is around it.
import { findMeeting, meetingOf } from './meeting-link.js';

const meeting = await findMeeting(meetingOf(location));
if (meeting?.zoom.framed) {
  const frame = document.createElement('iframe');
  frame.id = 'webclient';
  frame.className = 'pwa-webclient__iframe';
  frame.allow = 'camera; microphone; autoplay';
  const { code } = meetingOf(location);
  frame.src = `/wc/client/${code}${location.search}`;
  document.body.replaceChildren(frame);
} else {
  await import('./client.js');
}
