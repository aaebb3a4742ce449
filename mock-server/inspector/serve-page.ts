import type { ServerResponse } from 'node:http';
import { PAGE_FILES, pageFile, type PageFile } from './page-files.ts';

/** Nothing but its own files and the control API of its own origin, and in no frame. */
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

/** The path of the page. Its files stand below it. */
const PAGE = '/control/ui';

/** Whether a URL is that of the page or of one of its files, or may be. */
export function isOfPage(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return path === PAGE || path.startsWith(`${PAGE}/`);
}

/**
 * Answers with a file of the page. It holds nothing of this mock, so it is served to whoever may reach the control API by
 * name: what it shows it reads there, with the token if there is one.
 */
export async function servePage(response: ServerResponse, closing: boolean): Promise<void> {
  const { method, url = '' } = response.req;
  const name = fileIn(url);
  const also = closing ? { connection: 'close' } : {};
  if (name === undefined || (method !== 'GET' && method !== 'HEAD')) {
    const status = name === undefined ? 404 : 405;
    response.writeHead(status, { ...HEADERS, ...also, 'content-length': 0, allow: 'GET, HEAD' }).end();
    return;
  }
  const text = Buffer.from(await pageFile(name));
  const described = { 'content-type': PAGE_FILES[name], 'content-length': text.length };
  response.writeHead(200, { ...HEADERS, ...described, ...also }).end(method === 'HEAD' ? undefined : text);
}

function fileIn(url: string): PageFile | undefined {
  const [path = ''] = url.split('?', 1);
  const rest = path.slice(PAGE.length);
  if (rest === '' || rest === '/') return 'index.html';
  const name = rest.slice(1);
  return isPageFile(name) ? name : undefined;
}

function isPageFile(name: string): name is PageFile {
  return Object.hasOwn(PAGE_FILES, name);
}
