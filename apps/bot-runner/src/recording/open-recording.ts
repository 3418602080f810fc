import { createRecorder } from '@rapporteur/recorder';
import type { Recorder, RecorderOptions, RecorderPage } from '@rapporteur/recorder';
import type { Page } from 'playwright-core';
import type { ReportBody } from '../reporting/reporter.ts';
import { FragmentStore } from './fragment-store.ts';
import type { FragmentStoreOptions, InCallMaterial } from './fragment-store.ts';
import { RecordingSession } from './recording-session.ts';
import type { RecordingSessionPorts } from './recording-session.ts';

export interface OpenRecordingOptions
  extends
    Omit<RecorderOptions, 'page' | 'onInit' | 'onFragment' | 'logger' | 'clock'>,
    FragmentStoreOptions,
    Pick<RecordingSessionPorts, 'clock'> {
  readonly page: Page;
  readonly report: (body: ReportBody) => void;
}

export interface OpenRecording {
  readonly recorder: Recorder;
  readonly recording: RecordingSession;
  /** Null when nothing was recorded. */
  material(): InCallMaterial | null;
}

/** A recorder of the page whose fragments are written to the disk and uploaded. */
export function openRecording({ page, report, ...options }: OpenRecordingOptions): OpenRecording {
  const fragments = new FragmentStore(options);
  const recorder: Recorder = createRecorder({
    ...options,
    page: recorderPage(page),
    onDegraded: (step) => {
      options.onDegraded?.(step);
      report({ kind: 'degraded', step });
    },
    onInit: (bytes) => fragments.keepInit(bytes),
    onFragment: (fragment) => fragments.keepFragment(fragment, recorder),
  });
  const recording = new RecordingSession({ recorder, fragments, report, clock: options.clock, logger: options.logger });
  return { recorder, recording, material: () => fragments.material(recorder) };
}

export function recorderPage(page: Page): RecorderPage {
  return {
    addInitScript: async (source) => {
      await page.addInitScript({ content: source });
    },
    exposeBinding: async (name, receive) => {
      await page.exposeBinding(name, async ({ frame }, text: string) => {
        if (frame === page.mainFrame()) await receive(text);
      });
    },
    evaluate: (expression) => page.evaluate(expression),
  };
}
