import type { BotImage } from '@rapporteur/meeting-platforms';
import { withDeadline } from '@rapporteur/service-runtime/process';
import type { Page } from 'playwright-core';
import { ImageRefused } from './inspect-image.ts';

const largestSide = { width: 1280, height: 720 } as const;
const scaleTimeoutMs = 10_000;

/**
 * Decodes an image in an empty page of its own and returns it scaled to the size it is shown at. A malicious file can
 * only crash that page.
 * @throws Error when it is not decoded within 10 s
 */
export async function scaleImage(openPage: () => Promise<Page>, image: BotImage): Promise<BotImage> {
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
