import { describeLiveProvider } from '../testing/live-suite.ts';

const usual = { diarizes: true, timesPartials: true, translation: null };
describeLiveProvider({
  ...usual,
  name: 'gladia',
  diarizes: false,
  translation: { realtime_processing: { translation: true, translation_config: { target_languages: ['fr'] } } },
});
describeLiveProvider({ ...usual, name: 'deepgram' });
describeLiveProvider({ ...usual, name: 'assemblyai' });
describeLiveProvider({
  ...usual,
  name: 'speechmatics',
  severalLanguages: null,
  needed: { language: 'en' },
  translation: { translation_config: { target_languages: ['fr'] } },
});
describeLiveProvider({
  ...usual,
  name: 'soniox',
  translation: { translation: { type: 'one_way', target_language: 'fr' } },
});
describeLiveProvider({ ...usual, name: 'elevenlabs', diarizes: false, timesPartials: false });
describeLiveProvider({ ...usual, name: 'local', diarizes: false });
