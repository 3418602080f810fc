import type { CaptureStrategy, StrategyReason } from '@rapporteur/contracts';
import type { CaptureConfig, ReadSwitch } from '@rapporteur/page-capture';
import type { RecorderLogger, StrategySwitch } from '../recorder-ports.ts';

/** Bounds the memory of a page that switches without end. */
const changesKept = 500;
/** Not worth a warning. */
const asPlanned: readonly StrategyReason[] = ['chosen', 'pinned', 'tried_again', 'offered_again'];

/** The strategies of one recording, from its beginning to now. */
export class StrategyRecord {
  readonly #mode: CaptureConfig['mode'];
  readonly #logger: RecorderLogger;
  readonly #onStrategy: (strategy: CaptureStrategy) => void;
  readonly #switches: StrategySwitch[] = [];
  #video: CaptureStrategy;
  thread: 'worker' | 'page' = 'worker';

  constructor(mode: CaptureConfig['mode'], logger: RecorderLogger, onStrategy: (strategy: CaptureStrategy) => void) {
    this.#mode = mode;
    this.#video = mode === 'audio_only' ? 'audio' : 'tracks';
    this.#logger = logger;
    this.#onStrategy = onStrategy;
  }

  get strategy(): CaptureStrategy {
    return this.#video;
  }

  get switches(): readonly StrategySwitch[] {
    return this.#switches;
  }

  /** Adds switches, including those that a new capture reports again. */
  add(switches: readonly ReadSwitch[]): void {
    for (const strategySwitch of switches) {
      const { media, to, reason } = strategySwitch;
      if (this.#switches.length < changesKept) this.#switches.push(strategySwitch);
      if (asPlanned.includes(reason))
        this.#logger.info({ ...strategySwitch }, `The ${media} is captured by the strategy ${to}.`);
      else this.#logger.warn({ ...strategySwitch }, `The ${media} is captured by the strategy ${to} from now on.`);
      if (media === 'audio' || to === 'played' || this.#mode === 'audio_only') continue;
      this.#video = to;
      try {
        this.#onStrategy(to);
      } catch (error) {
        this.#logger.error({ err: error }, 'An observer of the capture strategies failed; the recording continues.');
      }
    }
  }
}
