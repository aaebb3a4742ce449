const ROOT = '/sandboxes/';

/** What stands before the `/v1` of a sandbox's base URL. */
export function sandboxPrefix(id: string): string {
  return `${ROOT}${id}`;
}

/** The sandbox that a URL names, and the rest of it from its slash on. Null for one that names none. */
export function splitSandboxUrl(url: string): { readonly id: string; readonly rest: string } | null {
  if (!url.startsWith(ROOT)) return null;
  const end = url.indexOf('/', ROOT.length);
  return end === -1 ? null : { id: url.slice(ROOT.length, end), rest: url.slice(end) };
}
