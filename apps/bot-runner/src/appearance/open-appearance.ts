import type { BotInvocation } from '@rapporteur/contracts';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttp, OutboundResponse } from '@rapporteur/outbound-http';
import { withDeadline } from '@rapporteur/service-runtime/process';
import type { Logger } from '@rapporteur/service-runtime/process';
import type { BotImage } from '@rapporteur/meeting-platforms';
import type { Page } from 'playwright-core';
import type { RunningBrowser } from '../browser/launch-browser.ts';
import { Appearance } from './appearance.ts';
import type { RunContext } from '../run-context.ts';

export interface OpenAppearancePorts extends Pick<RunContext, 'clock' | 'logger'> {
  readonly browser: () => Promise<Pick<RunningBrowser, 'newPage'>>;
}

/** The images that an invocation requests, under its address rules; null when it requests none. Never throws. */
export function openAppearance(
  { configuration, outbound }: BotInvocation,
  ports: OpenAppearancePorts,
): Appearance | null {
  const { bot_image: images, bot_image_config: config } = configuration;
  if (images.length === 0) return null;
  const http = openHttp(outbound, ports.logger);
  if (http === null) return null;
  // One at a time: a large image takes a lot of memory while it is decoded.
  let scaling: Promise<unknown> = Promise.resolve();
  return new Appearance(
    { images, config },
    {
      load: async (address, signal) => {
        const bytes = await fetchImage(http, address, signal);
        const image = { bytes, contentType: inspectImage(bytes).contentType };
        const scaled = scaling.then(() => scaleImage(async () => await (await ports.browser()).newPage(), image));
        scaling = scaled.catch(() => undefined);
        return await scaled;
      },
      close: () => http.close(),
      clock: ports.clock,
      logger: ports.logger,
    },
  );
}

function openHttp(outbound: BotInvocation['outbound'], logger: Logger): OutboundHttp | null {
  try {
    return createOutboundHttp(outbound);
  } catch (error) {
    logger.error({ err: error }, "The runner's rules for addresses can't be used; the bot comes without an image.");
    return null;
  }
}

const largestImageBytes = 10 * 1024 * 1024;
const fetchTimeoutMs = 10_000;
const mostRedirects = 3;

/**
 * Fetches an image from the customer's address. Redirects are followed, each under the same rules as the first address.
 * @throws Error with a message for the log when no image arrives within 10 s
 */
async function fetchImage(
  outbound: Pick<OutboundHttp, 'request'>,
  address: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const endMs = performance.now() + fetchTimeoutMs;
  let url = address;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const response = await outbound.request({
      url,
      method: 'GET',
      headers: {
        accept: 'image/jpeg,image/png,image/webp',
        // A compressed body would have to be decompressed to an unknown size.
        'accept-encoding': 'identity',
        'user-agent': 'Rapporteur-Bot/1',
      },
      timeoutMs: Math.max(1, Math.ceil(endMs - performance.now())),
      maxResponseBytes: largestImageBytes,
      signal,
    });
    if (response.status === 200) return response.bodyPrefix;
    url = redirectOf(response, url);
  }
  throw new ImageRefused(`It is behind more than ${mostRedirects} redirects.`);
}

function redirectOf({ status, headers }: OutboundResponse, from: string): string {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined || !URL.canParse(location, from))
    throw new ImageRefused(`Its address responded with HTTP status ${status}.`);
  return new URL(location, from).href;
}

const largestSide = { width: 1280, height: 720 } as const;
const scaleTimeoutMs = 10_000;

/**
 * Decodes an image in an empty page of its own and returns it scaled to the size it is shown at. A malicious file can
 * only crash that page.
 * @throws Error when it is not decoded within 10 s
 */
async function scaleImage(openPage: () => Promise<Page>, image: BotImage): Promise<BotImage> {
  const page = await openPage();
  try {
    const given = { base64: image.bytes.toString('base64'), contentType: image.contentType, ...largestSide };
    const scaled = await withDeadline(page.evaluate(sampleSmaller, given), scaleTimeoutMs, 'Decoding an image');
    return { bytes: Buffer.from(scaled, 'base64'), contentType: 'image/webp' };
  } catch (error) {
    throw new ImageRefused('The browser could not decode it.', { cause: error });
  } finally {
    void page.close().catch(() => undefined);
  }
}

interface GivenImage {
  readonly base64: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}

/** Runs in the page. */
async function sampleSmaller({ base64, contentType, width, height }: GivenImage): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: contentType }));
  const scale = Math.min(1, width / image.width, height / image.height);
  const size = (length: number): number => Math.max(1, Math.round(length * scale));
  const canvas = new OffscreenCanvas(size(image.width), size(image.height));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('There is no canvas.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  // Keeps transparency.
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.92 });
  let text = '';
  for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}

const mostMegapixels = 40;

interface ImageFacts {
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** Why an image is not shown, as a message for the log. */
class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}

/**
 * Reads the type and size from a file's first bytes, before it is decoded. The declared content type is ignored.
 * @throws ImageRefused when it is not a JPEG, PNG or WebP, or the image is too large
 */
export function inspectImage(bytes: Buffer): ImageFacts {
  const facts = readPng(bytes) ?? readWebp(bytes) ?? readJpeg(bytes);
  if (facts === null || facts.width < 1 || facts.height < 1)
    throw new ImageRefused('It is not a complete JPEG, PNG or WebP file.');
  if (facts.width * facts.height > mostMegapixels * 1_000_000)
    throw new ImageRefused(`It has ${facts.width}x${facts.height} pixels; ${mostMegapixels} megapixels are the most.`);
  return facts;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function readPng(bytes: Buffer): ImageFacts | null {
  const isPng = bytes.length >= 24 && bytes.subarray(0, 8).equals(pngSignature) && textAt(bytes, 12, 4) === 'IHDR';
  return isPng ? { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null;
}

function readWebp(bytes: Buffer): ImageFacts | null {
  if (bytes.length < 30 || textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') return null;
  const size = webpSize(bytes, textAt(bytes, 12, 4));
  return size === null ? null : { contentType: 'image/webp', width: size[0], height: size[1] };
}

function webpSize(bytes: Buffer, chunk: string): readonly [number, number] | null {
  if (chunk === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (chunk === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (chunk !== 'VP8L' || bytes[20] !== 0x2f) return null;
  const bits = bytes.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;

/** The size is in the frame header, which follows segments of any kind. */
function readJpeg(bytes: Buffer): ImageFacts | null {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (marker === endOfImage || marker === startOfScan) return null;
    else if (isFrameHeader(marker))
      return { contentType: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** Three of these sixteen markers are not frame headers. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function textAt(bytes: Buffer, at: number, length: number): string {
  return bytes.toString('latin1', at, at + length);
}
