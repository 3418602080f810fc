import { renderLifecycleDocument } from './diagram.ts';

process.stdout.write(renderLifecycleDocument());
