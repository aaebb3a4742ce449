import type { Network } from '../../../suites/kit/test-support/simulated-link.ts';
import type { ProofWorld } from '../model/proof-world.ts';
import { atADistance } from './distant-service.ts';

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
