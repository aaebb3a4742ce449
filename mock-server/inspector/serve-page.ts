import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';

/** The files of the page, with their media types. */
const PAGE_FILES = {
  'index.html': 'text/html; charset=utf-8',
  'inspector.js': 'text/javascript; charset=utf-8',
  'inspector.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

export type PageFile = keyof typeof PAGE_FILES;

/** The page loads its own files, calls the control API of its own origin, and stands in no frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-cache',
};

/**
 * Answers a request for `/control/ui`, or for a file below it. The files hold nothing of this mock, so they need no token:
 * the page reads what it shows from the control API, with the token if there is one.
 */
export async function servePage(response: ServerResponse, closing: boolean): Promise<void> {
  const { method, url = '' } = response.req;
  const name = /^\/control\/ui\/([^?]+)/.exec(url)?.[1] ?? 'index.html';
  const also = closing ? { connection: 'close' } : {};
  const refused = (status: number): void =>
    void response.writeHead(status, { ...HEADERS, ...also, 'content-length': 0, allow: 'GET, HEAD' }).end();
  if (!isPageFile(name)) return refused(404);
  if (method !== 'GET' && method !== 'HEAD') return refused(405);
  const text = Buffer.from(await pageFile(name));
  const described = { 'content-type': PAGE_FILES[name], 'content-length': text.length };
  response.writeHead(200, { ...HEADERS, ...described, ...also }).end(method === 'HEAD' ? undefined : text);
}

function isPageFile(name: string): name is PageFile {
  return Object.hasOwn(PAGE_FILES, name);
}

let bundled: Promise<Readonly<Record<PageFile, string>>> | undefined;

/** The build bundles the files. A mock that runs from its sources bundles them with the first request. */
async function pageFile(name: PageFile): Promise<string> {
  if (import.meta.url.endsWith('.js')) return readFile(new URL(`./page/${name}`, import.meta.url), 'utf8');
  bundled ??= import('./bundle-page.ts').then(({ bundlePage }) => bundlePage());
  return (await bundled)[name];
}
