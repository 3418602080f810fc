export { bindingName, captureScript } from './capture-script.ts';
export type { CaptureConfig, CaptureStart, CaptureStats, Continuation, MissingVideo, ReasonSpan } from './messages.ts';
export { fitInto, layOutGallery } from './mixer/gallery-layout.page.ts';
export { readBatch } from './read-batch.ts';
export type { ReadAudio, ReadBatch, ReadSwitch } from './read-batch.ts';
