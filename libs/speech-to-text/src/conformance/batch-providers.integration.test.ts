import { describeBatchProvider } from '../testing/batch-suite.ts';

const keeping = { diarizes: true, keepsCopies: true, customParams: {} };
describeBatchProvider({ ...keeping, name: 'gladia', simulated: 'gladia' });
describeBatchProvider({ ...keeping, name: 'deepgram', simulated: 'deepgram', keepsCopies: false });
describeBatchProvider({ ...keeping, name: 'assemblyai', simulated: 'assemblyai' });
describeBatchProvider({ ...keeping, name: 'speechmatics', simulated: 'speechmatics' });
describeBatchProvider({ ...keeping, name: 'soniox', simulated: 'soniox' });
const synchronous = {
  simulated: 'openai',
  diarizes: false,
  keepsCopies: false,
  customParams: { language: 'en' },
} as const;
describeBatchProvider({ ...synchronous, name: 'openai-compatible' });
describeBatchProvider({ ...synchronous, name: 'local' });
