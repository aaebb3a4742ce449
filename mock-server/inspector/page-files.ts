import { readFile } from 'node:fs/promises';

/** The files of the page, with their media types. */
export const PAGE_FILES = {
  'index.html': 'text/html; charset=utf-8',
  'inspector.js': 'text/javascript; charset=utf-8',
  'inspector.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

export type PageFile = keyof typeof PAGE_FILES;

let bundled: Promise<Readonly<Record<PageFile, string>>> | undefined;

/** A file of the page. The build has bundled them; a mock that runs from its sources does so with the first request. */
export async function pageFile(name: PageFile): Promise<string> {
  if (import.meta.url.endsWith('.js')) return readFile(new URL(`./page/${name}`, import.meta.url), 'utf8');
  bundled ??= import('./bundle-page.ts').then(({ bundlePage }) => bundlePage());
  return (await bundled)[name];
}
