import { fileURLToPath } from 'node:url';
import { bundleInto } from './bundle.ts';

/** Run by `npm run build`, before the compiler adds the types. */
bundleInto(fileURLToPath(new URL('../../dist/', import.meta.url)));
