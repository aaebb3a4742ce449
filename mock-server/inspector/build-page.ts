import { mkdirSync, writeFileSync } from 'node:fs';
import { bundlePage } from './bundle-page.ts';

/** Run by `npm run build`: puts the files of the page where the compiled mock looks for them. */
const FOLDER = new URL('../../dist/mock-server/inspector/page/', import.meta.url);

mkdirSync(FOLDER, { recursive: true });
for (const [name, text] of Object.entries(bundlePage())) writeFileSync(new URL(name, FOLDER), text);
