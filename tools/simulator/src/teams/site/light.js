// The light client lives in a frame; the page around it is empty.
const frame = document.createElement('iframe');
frame.title = 'Microsoft Teams meeting';
frame.allow = 'camera; microphone; autoplay';
frame.src = `/light-meetings/launch/client${location.search}`;
document.body.append(frame);
