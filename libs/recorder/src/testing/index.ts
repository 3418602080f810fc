export { layOutGallery } from '../page/gallery-layout.page.ts';
export { storeLongAttempt } from './long-attempt.ts';
