import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createRapporteurClient } from '@rapporteur/sdk';
import { registerTools } from './tools.ts';

export interface Deployment {
  /** Address of the API. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

const instructions =
  'Rapporteur sends bots to meetings. A bot requests admission, records, and ends with status completed or failed; its transcript is ready then. Inform participants that they are recorded.';

/** A server for the tools of one team. It connects only to the deployment. */
export function createMcpServer(deployment: Deployment, version: string): McpServer {
  const server = new McpServer({ name: 'rapporteur', version }, { instructions });
  registerTools(server, createRapporteurClient(deployment));
  return server;
}
