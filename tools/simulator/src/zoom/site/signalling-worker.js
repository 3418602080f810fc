// The client's signalling lives in a worker: what comes over the socket is handed to the page in an envelope.
let socket = null;
const waiting = [];

self.addEventListener('message', ({ data }) => {
  if (data.open) return open(data.open);
  if (socket?.readyState === WebSocket.OPEN) socket.send(data.send);
  else waiting.push(data.send);
});

function open(address) {
  socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('open', () => waiting.splice(0).forEach((text) => socket.send(text)));
  socket.addEventListener('close', () => self.postMessage({ type: 'close' }));
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') self.postMessage({ type: 'message', data });
    else self.postMessage({ type: 'media', data }, [data]);
  });
}
