import type { Command } from './command.ts';
import { keyCommands } from './key-commands.ts';
import { planCommands } from './plan-commands.ts';
import { storageCommands } from './storage-commands.ts';
import { teamCommands } from './team-commands.ts';

/** By the two words that call them. */
export const commands: Readonly<Record<string, Command>> = {
  ...keyCommands,
  ...teamCommands,
  ...planCommands,
  ...storageCommands,
};
