import { describeBatchProvider } from '../testing/batch-suite.ts';

const keeping = { diarizes: true, keepsCopies: true, customParams: {} };
describeBatchProvider({ ...keeping, name: 'gladia', simulated: 'gladia' });
describeBatchProvider({ ...keeping, name: 'deepgram', simulated: 'deepgram', keepsCopies: false });
describeBatchProvider({ ...keeping, name: 'assemblyai', simulated: 'assemblyai' });
describeBatchProvider({ ...keeping, name: 'speechmatics', simulated: 'speechmatics' });
describeBatchProvider({ ...keeping, name: 'soniox', simulated: 'soniox' });
describeBatchProvider({
  name: 'openai-compatible',
  simulated: 'openai',
  diarizes: false,
  keepsCopies: false,
  customParams: { language: 'en' },
});
