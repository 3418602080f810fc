export { layOutGallery } from '@rapporteur/page-capture';
