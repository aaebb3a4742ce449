import { once } from 'node:events';
import { createServer } from 'node:net';
import type { CheckFlags } from '../options/check-flags.ts';
import { UsageError } from '../terminal/exit.ts';

/** Where a free port goes. */
export const PORT = '{port}';

/**
 * The flags with a free port of the loopback address in place of `{port}`: in the command that starts the service, in the
 * base URL and in the control URL.
 * @throws {UsageError} Given `{port}` in a URL and no command that gets it too.
 */
export async function fillPort(flags: CheckFlags): Promise<CheckFlags> {
  const { start, baseUrl, controlUrl } = flags;
  if (![start, baseUrl, controlUrl].some((text) => text?.includes(PORT) === true)) return flags;
  if (start?.includes(PORT) !== true)
    throw new UsageError(
      `${PORT} in a URL requires ${PORT} in --start: it is the port on which the service listens`,
    );
  const port = String(await freePort());
  return {
    ...flags,
    given: flags.given ?? flags,
    start: start.replaceAll(PORT, port),
    ...(baseUrl !== undefined && { baseUrl: baseUrl.replaceAll(PORT, port) }),
    ...(controlUrl !== undefined && { controlUrl: controlUrl.replaceAll(PORT, port) }),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || address === null) throw new Error('there is no free port');
  return address.port;
}
