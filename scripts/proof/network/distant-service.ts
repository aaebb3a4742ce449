import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type Network, numbersFrom, SimulatedLink } from '../../../suites/kit/test-support/simulated-link.ts';
import type { ProofWorld, RunningService } from '../model/proof-world.ts';

/** The same service at the other end of a simulated network; its control API stays near. */
export async function atADistance(
  service: RunningService,
  network: Network,
  seed: number,
): Promise<RunningService> {
  const url = new URL(service.baseUrl);
  const way = { port: Number(url.port), host: url.hostname, noDelay: true, allowHalfOpen: true };
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = connect(way);
    keep(near);
    keep(far);
    carry(near, far, network, seed);
    carry(far, near, network, seed + 1);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await service.close();
  };
  return { ...service, baseUrl: url.href, close };
}

/** Carries bytes one way: each arrives when the simulated link says so, and the end after the last of them. */
function carry(from: Socket, to: Socket, network: Network, seed: number): void {
  const link = new SimulatedLink(network, numbersFrom(seed));
  let waiting = Buffer.alloc(0);
  let carried = 0;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  const proceed = (): void => {
    const now = performance.now();
    for (let at = link.nextAt; at !== undefined && at <= now; at = link.nextAt) {
      const upTo = link.take() ?? carried;
      if (upTo > carried) to.write(waiting.subarray(0, upTo - carried));
      waiting = waiting.subarray(upTo - carried);
      carried = upTo;
    }
    clearTimeout(timer);
    const { nextAt } = link;
    if (nextAt !== undefined) timer = setTimeout(proceed, Math.max(0, nextAt - now));
    if (isEnded && waiting.length === 0) to.end();
  };
  from.on('data', (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes]);
    link.write(performance.now(), bytes.length);
    proceed();
  });
  from.on('end', () => {
    isEnded = true;
    proceed();
  });
  from.on('close', () => {
    clearTimeout(timer);
    if (!isEnded) to.destroy();
  });
}

/** Networks on which a buffered answer arrives piece by piece. */
const NETWORKS: Readonly<Record<string, Network>> = {
  'over-150-ms': { roundTripMs: 150, bytesPerSecond: 1e7, jitterMs: 5 },
  'over-20-kilobytes': { roundTripMs: 20, bytesPerSecond: 20_000, jitterMs: 2 },
};

/** These worlds at the other end of each network, with the same verdicts expected. */
export function distantWorlds(worlds: readonly ProofWorld[]): readonly ProofWorld[] {
  return worlds.flatMap((world) =>
    Object.entries(NETWORKS).map(([name, network]) => {
      const start: ProofWorld['start'] = async (seed) => atADistance(await world.start(seed), network, seed);
      return { ...world, name: `${world.name}-${name}`, start };
    }),
  );
}
