import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { systemClock } from '@rapporteur/service-runtime';
import { ObjectStore } from './object-store.ts';
import type { StoredObject } from './object-store.ts';

/** A fault of one call. `commit`: the server executes the request and the response is lost. */
export type Fault =
  | { readonly status: number; readonly message: string; readonly retryAfterSeconds?: number }
  | { readonly commit: true };

interface OpenWatch {
  readonly response: ServerResponse;
  readonly stall: () => void;
  readonly expire: () => void;
}

interface Call {
  readonly kind: StoredObject['kind'];
  readonly name: string | undefined;
  readonly sub: string | undefined;
  readonly query: URLSearchParams;
  /** The entry in `requests`. */
  readonly text: string;
  readonly watching: boolean;
}

interface DeleteOptions {
  readonly preconditions?: { readonly resourceVersion?: string };
}

type ServiceResponse = (status: number, body: unknown) => void;

/** A small Kubernetes API of nodes, and of Jobs, pods and events in namespace `bots`, over HTTP, with injected faults. */
export class FakeApiServer {
  readonly store = new ObjectStore();
  /** Requests so far, as `POST jobs`, `GET pods?watch` and so on. */
  readonly requests: string[] = [];
  /** Logs by name of the pod. */
  readonly logs = new Map<string, string>();
  /** Called for a delete instead of removing the object: a node ends a pod asynchronously. */
  onDelete: ((object: StoredObject, gracePeriodSeconds: number | null) => void) | null = null;
  /** Time to create one object; objects are created sequentially. */
  createMs = 0;
  /** Nothing is created before this resolves. */
  held: Promise<void> = Promise.resolve();
  /** Number of connections opened so far. */
  connections = 0;
  #creating: Promise<void> = Promise.resolve();
  /** Faults of every call of a kind, for as long as they are here. */
  readonly lasting = new Map<string, Fault>();
  readonly #faults = new Map<string, Fault[]>();
  readonly #watches = new Set<OpenWatch>();
  readonly #server = createServer(
    (request, response) => void this.#handle(request, response).catch(() => response.destroy()),
  );

  /** Also again after `close`, then with the port of before. */
  async start(port = 0): Promise<void> {
    this.#server.on('connection', () => (this.connections += 1));
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Injects faults into the next calls of this kind, in this sequence. */
  failNext(call: string, ...faults: Fault[]): void {
    this.#faults.set(call, [...(this.#faults.get(call) ?? []), ...faults]);
  }

  /** Open watches stay open and get no more events; new ones work. */
  stallWatches(): void {
    for (const watch of this.#watches) watch.stall();
  }

  /** Open watches get the error that their version expired. */
  expireWatches(): void {
    for (const watch of this.#watches) watch.expire();
  }

  /** Open watches lose their connection. */
  dropWatches(): void {
    for (const { response } of this.#watches) response.destroy();
  }

  async close(): Promise<void> {
    this.dropWatches();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = readCall(request);
    this.requests.push(call.text);
    const body = await readBody(request);
    const fault = this.#faults.get(call.text)?.shift() ?? this.lasting.get(call.text);
    if (fault !== undefined && 'status' in fault) return refuse(response, fault);
    const reply: ServiceResponse = (status, content) => {
      if (fault === undefined) send(response, status, content);
      else response.destroy();
    };
    if (call.watching) this.#openWatch(response, call);
    else if (request.method === 'POST') {
      await this.held;
      await this.#createInTurn();
      this.#create(reply, call.kind, body as StoredObject);
    } else if (call.name === undefined) reply(200, this.#list(call));
    else if (call.sub === 'log')
      response.writeHead(200, { 'content-type': 'text/plain' }).end(this.logs.get(call.name) ?? '');
    else this.#readOrDelete(reply, call, request.method === 'DELETE' ? (body as DeleteOptions | null) : 'read');
  }

  #createInTurn(): Promise<void> {
    const { createMs } = this;
    if (createMs > 0) this.#creating = this.#creating.then(() => systemClock.sleep(createMs));
    return this.#creating;
  }

  #create(reply: ServiceResponse, kind: StoredObject['kind'], { metadata, spec }: StoredObject): void {
    if (this.store.find(kind, metadata.name) === undefined)
      reply(201, this.store.put({ kind, metadata, spec, status: {} }));
    else reply(409, statusOf(409, `jobs "${metadata.name}" already exists`));
  }

  #readOrDelete(
    reply: ServiceResponse,
    { kind, name = '', query }: Call,
    options: DeleteOptions | null | 'read',
  ): void {
    const object = this.store.find(kind, name);
    if (object === undefined) return reply(404, statusOf(404, `"${name}" not found`));
    const remove = options !== 'read';
    const expected = remove ? options?.preconditions?.resourceVersion : undefined;
    if (expected !== undefined && expected !== object.metadata.resourceVersion)
      return reply(409, statusOf(409, 'the ResourceVersion in the precondition does not match'));
    const grace = query.get('gracePeriodSeconds');
    if (remove && this.onDelete !== null) this.onDelete(object, grace === null ? null : Number(grace));
    else if (remove) this.store.remove(kind, name);
    reply(200, object);
  }

  #list({ kind, query }: Call): unknown {
    const all = this.store.list(kind);
    const start = Number(query.get('continue') ?? 0);
    const limit = Number(query.get('limit') ?? all.length);
    const next = start + limit < all.length ? String(start + limit) : undefined;
    return {
      kind: `${kind}List`,
      metadata: { resourceVersion: String(this.store.version), ...(next === undefined ? {} : { continue: next }) },
      items: all.slice(start, start + limit),
    };
  }

  #openWatch(response: ServerResponse, { kind, query }: Call): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const write = (type: string, object: unknown): void => void response.write(`${JSON.stringify({ type, object })}\n`);
    const expire = (): void => {
      write('ERROR', statusOf(410, 'too old resource version'));
      response.end();
    };
    const missed = this.store.since(Number(query.get('resourceVersion')));
    if (missed === null) return expire();
    for (const { type, object } of missed) if (object.kind === kind) write(type, object);
    const stop = this.store.onChange(({ type, object }) => object.kind === kind && write(type, object));
    const timer = setTimeout(
      () => {
        write('BOOKMARK', { kind, metadata: { resourceVersion: String(this.store.version) } });
        response.end();
      },
      Number(query.get('timeoutSeconds')) * 1_000,
    );
    const stall = (): void => {
      stop();
      clearTimeout(timer);
    };
    const watch: OpenWatch = { response, expire, stall };
    this.#watches.add(watch);
    response.on('close', () => {
      this.#watches.delete(watch);
      stall();
    });
  }
}

const kindOf: Readonly<Record<string, StoredObject['kind']>> = {
  jobs: 'Job',
  pods: 'Pod',
  events: 'Event',
  nodes: 'Node',
};

function readCall(request: IncomingMessage): Call {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://fake');
  const [, resource = '', name, sub] =
    /\/(?:namespaces\/bots|v1)\/(jobs|pods|events|nodes)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
  const watching = query.get('watch') === 'true';
  const text = `${request.method} ${resource}${sub === undefined ? '' : `/${sub}`}${watching ? '?watch' : ''}`;
  return { kind: kindOf[resource] ?? 'Job', name, sub, query, text, watching };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? null : JSON.parse(text);
}

function refuse(response: ServerResponse, fault: Extract<Fault, { status: number }>): void {
  if (fault.retryAfterSeconds !== undefined) response.setHeader('retry-after', String(fault.retryAfterSeconds));
  send(response, fault.status, statusOf(fault.status, fault.message));
}

function statusOf(code: number, message: string): unknown {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
