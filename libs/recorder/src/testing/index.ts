export { layOutGallery } from '@rapporteur/page-capture';
export { storeLongAttempt } from './long-attempt.ts';
