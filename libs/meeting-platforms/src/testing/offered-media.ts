import type { PageMediaSourceGlobal } from '@rapporteur/contracts';
import type { Page } from 'playwright-core';
import type { OfferedMedia, OfferedTile } from '../conformance/harness.ts';

/** Reads in the page what the platform's script offers to the recorder. */
export async function listenToOffer(page: Page, listenMs: number): Promise<OfferedMedia> {
  return await page.evaluate(async (forMs) => {
    const source = (globalThis as PageMediaSourceGlobal).rapporteurMediaSource;
    const tracks = source?.audioTracks() ?? [];
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    for (const track of tracks) context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    let peak = 0;
    for (const deadline = performance.now() + forMs; performance.now() < deadline && peak < 0.05;) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      analyser.getFloatTimeDomainData(samples);
      peak = Math.max(peak, ...samples.map(Math.abs));
    }
    await context.close();
    return { audioTracks: tracks.length, peak, shown: source?.shownVideo()?.kind ?? null };
  }, listenMs);
}

/** The participants that the platform's script offers for a gallery. */
export async function tilesOffered(page: Page): Promise<readonly OfferedTile[]> {
  return await page.evaluate(() =>
    ((globalThis as PageMediaSourceGlobal).rapporteurMediaSource?.tiles() ?? []).map((tile) => ({
      kind: tile.kind,
      name: tile.participantName,
      hasVideo: tile.track?.readyState === 'live',
      speaking: tile.speaking,
    })),
  );
}
