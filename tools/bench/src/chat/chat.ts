import { chatInCrowd } from '@rapporteur/bot-runner/testing';
import { machine } from '../measure/figures.ts';

const goals = { messageMs: 0.2, listMs: 20 };

/** CPU of a runner's thread for messages and lists of participants in a large meeting. */
export function measureChat(options: {
  readonly participants: number;
  readonly turns: number;
  readonly messages: number;
  readonly say: (text: string) => void;
}): void {
  const { participants, turns, messages, say } = options;
  say(machine());
  const { messageMs, listMs } = chatInCrowd({ participants, turns, messages });
  say(`${participants} participants, ${turns} speaker turns, ${messages} messages at once`);
  say(
    `a message: ${messageMs.toFixed(3)} ms of CPU; goal <= ${goals.messageMs} ms: ${verdict(messageMs, goals.messageMs)}`,
  );
  say(
    `a list of participants: ${listMs.toFixed(1)} ms of CPU; goal <= ${goals.listMs} ms: ${verdict(listMs, goals.listMs)}`,
  );
  say(machine());
}

function verdict(ms: number, goalMs: number): string {
  return ms <= goalMs ? 'met' : 'missed';
}
