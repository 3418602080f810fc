import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { refuseSocket } from './site.ts';
import type { SiteDependencies } from './site.ts';
import type { PlatformName } from './platforms.ts';
import { ClientSession } from './client-session.ts';
import type { ClientDialect } from './client-session.ts';

const SOCKET_PATH = /^\/ws\/([a-z0-9-]+)$/i;
const LARGEST_MESSAGE_BYTES = 200_000;
const LARGEST_NUMBER_OF_PAGES = 200;

/** The sockets over which one platform's pages talk to their room: `/ws/<code>`, from the page's own origin only. */
export class ClientSockets {
  readonly #dependencies: SiteDependencies;
  readonly #platform: PlatformName;
  readonly #dialect: ClientDialect;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: LARGEST_MESSAGE_BYTES });
  readonly #sessions = new Set<ClientSession>();

  constructor(dependencies: SiteDependencies, platform: PlatformName, dialect: ClientDialect) {
    this.#dependencies = dependencies;
    this.#platform = platform;
    this.#dialect = dialect;
  }

  accept(request: IncomingMessage, stream: Duplex, head: Buffer, { anyOrigin = false } = {}): void {
    const code = SOCKET_PATH.exec(request.url ?? '')?.[1];
    const sameOrigin = anyOrigin || request.headers.origin === `https://${request.headers.host}`;
    if (code === undefined || !sameOrigin || this.#sessions.size >= LARGEST_NUMBER_OF_PAGES) {
      refuseSocket(stream);
      return;
    }
    this.#server.handleUpgrade(request, stream, head, (socket) => {
      const { rooms, pageChanges, clock, loopbackOnly, log } = this.#dependencies;
      const hosted = rooms.find(code.toLowerCase());
      if (hosted?.options.platform !== this.#platform || hosted.room.endedAt !== null) {
        socket.send(JSON.stringify({ kind: 'unknownCode' }));
        socket.close();
        return;
      }
      const session = new ClientSession({
        socket,
        hosted,
        dialect: this.#dialect,
        // The page of the Meeting SDK is the service's own.
        pageChange: anyOrigin ? null : pageChanges.of(hosted.options),
        now: clock.now,
        loopbackOnly,
        log,
      });
      this.#sessions.add(session);
      socket.once('close', () => this.#sessions.delete(session));
    });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.stop()));
    this.#server.close();
  }
}
