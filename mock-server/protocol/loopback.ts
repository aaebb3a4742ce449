const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Whether an address or a name is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Whether a Host header names another machine: a web page can have a name of its own lead to a loopback address. */
export function isForeignHost(host = ''): boolean {
  return !isLoopback(host.replace(/:\d*$/, ''));
}
