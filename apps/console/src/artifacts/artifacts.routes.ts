import { Router } from 'express';
import type { Request, Response } from 'express';
import { artifactLinks } from '@rapporteur/contracts/artifact-kinds';
import type { LinkedArtifact } from '@rapporteur/contracts/artifact-kinds';
import { fail } from '@rapporteur/failures';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { RapporteurError } from '@rapporteur/sdk';
import type { RapporteurClient } from '@rapporteur/sdk';
import { reachableUrl } from './reachable-url.ts';
import type { FilesAddress } from './reachable-url.ts';
import { requestedRange, sendObject } from './send-object.ts';

export interface ArtifactDependencies {
  readonly outbound: OutboundHttp;
  /** Null: links are used as the API returns them. */
  readonly files: FilesAddress | null;
  readonly clientOf: (request: Request) => RapporteurClient;
}

/** A browser that opens an artifact directly executes nothing in it, whatever a participant wrote. */
const artifactPolicy = "default-src 'none'; sandbox";
const screenshotPages = 20;

/**
 * Recordings and their files, below `/console/artifacts`, from any bucket. The page then needs no other origin, and the
 * bucket no CORS rule.
 */
export function artifactRoutes({ outbound, files, clientOf }: ArtifactDependencies): Router {
  const router = Router();
  router.get('/:botId/screenshots/:number', async (request, response) => {
    const client = clientOf(request);
    const number = Number(request.params['number']);
    const url = await findScreenshot(client, request.params['botId'], number);
    setHeaders(response, 'image/jpeg');
    await sendObject(outbound, response, { url: reachableUrl(url, files), range: null });
  });
  router.get('/:botId/participant_audio/:index', async (request, response) => {
    const { botId, index } = request.params;
    const bot = await clientOf(request).getBot({ bot_id: botId }).catch(asFailure);
    const one = bot.participant_audio?.[Number(index)];
    if (one === undefined) throw fail('NOT_FOUND', { message: 'The bot has no such file.' });
    setHeaders(response, 'audio/ogg');
    response.setHeader('content-disposition', `attachment; filename="${botId}-participant-${Number(index)}.ogg"`);
    const range = requestedRange(request.headers.range);
    await sendObject(outbound, response, { url: reachableUrl(one.url, files), range });
  });
  router.get('/:botId/:artifact', async (request, response) => {
    const { botId, artifact } = request.params;
    if (!isArtifactName(artifact)) throw fail('NOT_FOUND');
    const bot = await clientOf(request).getBot({ bot_id: botId }).catch(asFailure);
    const url = bot[artifact];
    if (url === null) throw fail('NOT_FOUND', { message: 'The bot has no such file.' });
    const { type, file } = artifactLinks[artifact];
    setHeaders(response, type);
    if (request.query['download'] !== undefined)
      response.setHeader('content-disposition', `attachment; filename="${botId}-${file}"`);
    const range = requestedRange(request.headers.range);
    await sendObject(outbound, response, { url: reachableUrl(url, files), range });
  });
  return router;
}

async function findScreenshot(client: RapporteurClient, botId: string, number: number): Promise<string> {
  let cursor: string | null = null;
  for (let page = 0; page < screenshotPages; page += 1) {
    const given = { bot_id: botId, ...(cursor === null ? {} : { cursor }) };
    const screenshots: Awaited<ReturnType<RapporteurClient['listBotScreenshots']>> = await client
      .listBotScreenshots(given)
      .catch(asFailure);
    const found = screenshots.data.find(({ screenshot_id }) => screenshot_id === number);
    if (found !== undefined) return found.url;
    cursor = screenshots.cursor;
    if (cursor === null) break;
  }
  throw fail('NOT_FOUND', { message: 'The bot has no such screenshot.' });
}

function setHeaders(response: Response, type: string): void {
  response.set({
    'content-type': type,
    // Names in transcripts change.
    'cache-control': /^(video|audio|image)/.test(type) ? 'private, max-age=300' : 'private, no-cache',
    'content-security-policy': artifactPolicy,
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
}

/** @throws Failure the failure of the page's request for an error of the API */
function asFailure(error: unknown): never {
  const { statusCode = null } = error instanceof RapporteurError ? error : {};
  if (statusCode === 403 || statusCode === 401) throw fail('CONSOLE_SIGN_IN');
  if (statusCode === 404 || statusCode === 400) throw fail('NOT_FOUND');
  throw fail('UNAVAILABLE', { cause: error });
}

function isArtifactName(name: string): name is LinkedArtifact {
  return Object.hasOwn(artifactLinks, name);
}
