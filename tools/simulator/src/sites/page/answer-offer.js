import { sendOver } from './own-devices.js';

const LONGEST_GATHERING_MS = 1000;

/** Takes the server's offer and gives the response with all its candidates; `devices` are sent over it. */
export async function answerOffer(connection, sdp, devices) {
  await connection.setRemoteDescription({ type: 'offer', sdp });
  sendOver(connection, sdp, devices);
  await connection.setLocalDescription(await connection.createAnswer());
  await gathered(connection);
  return connection.localDescription.sdp;
}

async function gathered(connection) {
  if (connection.iceGatheringState === 'complete') return;
  await new Promise((resolve) => {
    setTimeout(resolve, LONGEST_GATHERING_MS);
    connection.addEventListener('icegatheringstatechange', () => {
      if (connection.iceGatheringState === 'complete') resolve();
    });
  });
}
