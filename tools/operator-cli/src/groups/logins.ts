import type { CommandGroup } from '../command.ts';
import { listingCommand } from './lists.ts';

export const logins: CommandGroup = {
  noun: 'logins',
  summary: 'logins of signed-in bots, and Zoom credentials',
  commands: {
    meet: listingCommand({
      summary: 'logins of Google Workspaces',
      example: 'logins meet',
      columns: ['credential_id', 'email', 'email_group', 'state', 'workspace_id'],
      none: 'There are no logins for Google Meet.',
      read: (api) => api.listMeetLogins(),
    }),
    teams: listingCommand({
      summary: 'logins of Microsoft 365 tenants',
      example: 'logins teams',
      columns: ['credential_id', 'email', 'email_group', 'state', 'workspace_id'],
      none: 'There are no logins for Microsoft Teams.',
      read: (api) => api.listTeamsLogins(),
    }),
    zoom: listingCommand({
      summary: 'stored Zoom credentials',
      example: 'logins zoom',
      columns: ['credential_id', 'name', 'credential_type', 'zoom_email', 'state'],
      none: 'There are no Zoom credentials.',
      read: (api) => api.all.listZoomCredentials(),
    }),
  },
};
