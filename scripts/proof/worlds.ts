import { type DefectName, DEFECTS, defectNames } from '../../mock-server/defects/defects.ts';
import { startMock } from '../../mock-server/start-mock.ts';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import { completeWorld } from '../../mock-server/world/complete-world.ts';
import type { WorldFile } from '../../mock-server/world/world-schema.ts';
import type { World } from '../../mock-server/world/world.ts';
import { MOCK_VARIANTS } from '../cli/mock/mock-variants.ts';
import { ADVERSARY_WORLDS } from './adversaries/adversaries.ts';
import type { ProofWorld, RunningService } from './model/proof-world.ts';
import {
  combinedWorlds,
  CONVENTIONAL_WORLD,
  IN_CHUNKS_WORLD,
  SECOND_SERVICE_WORLD,
  VARIANT_WORLDS,
} from './variants/variant-worlds.ts';

/** Slow enough to differ, even on a busy machine, from the models that answer at once. */
const SLOW_MS = 250;

/** Few enough that a burst meets the limit within the caps of a live target, however busy the machine is. */
const CONCURRENCY = 8;

const WORLD: World = {
  ...builtInWorld,
  keys: builtInWorld.keys.map((key) => ({ ...key, concurrency: CONCURRENCY })),
  models: builtInWorld.models.map((model) =>
    model.latencyMs === undefined ? model : { ...model, latencyMs: SLOW_MS },
  ),
};

/** For a defect of an open clause, the profile pins what the defect departs from. */
async function startMockWith(
  seed: number,
  world: World,
  defect?: DefectName | readonly DefectName[],
): Promise<RunningService> {
  const mock = await startMock({ world, seed, control: true, ...(defect && { defect }) });
  const { primary = '', ...others } = mock.keys;
  const pins = typeof defect === 'string' ? DEFECTS[defect].pins : undefined;
  return {
    baseUrl: mock.url,
    keys: { primary, ...others },
    ...(mock.control !== undefined && { controlUrl: mock.control }),
    ...(pins && { profile: { pins } }),
    imbalances: () => mock.ledger.invariants(),
    close: () => mock.close(),
  };
}

/** The mock with each of its defects. */
const MOCK_DEFECT_WORLDS: readonly ProofWorld[] = defectNames().map((name) => ({
  name,
  kind: 'defect',
  defect: DEFECTS[name],
  start: (seed) => startMockWith(seed, WORLD, name),
}));

/** Ordinary mistakes of one service, all at once: none may hide another. */
const ORDINARY_BUGS = [
  'unknown-fields-stripped',
  'temperature-unchecked',
  'famous-models-mapped',
  'stream-trickles',
  'scope-not-checked-for-chat',
  'rate-limit-in-plain-text',
] as const satisfies readonly DefectName[];

const SIX_ORDINARY_BUGS: ProofWorld = {
  name: 'six-ordinary-bugs',
  kind: 'combined',
  defect: {
    clauses: ORDINARY_BUGS.flatMap((name) => DEFECTS[name].clauses),
    alsoBlamed: Object.assign({}, ...ORDINARY_BUGS.map((name) => DEFECTS[name].alsoBlamed)),
  },
  start: (seed) => startMockWith(seed, WORLD, ORDINARY_BUGS),
};

/** The mock as it is out of the box. */
export const FAITHFUL_MOCK = mockWith('mock', {});

/** The mock with each of its variants, and with what only it can choose. */
const MOCK_VARIANT_WORLDS: readonly ProofWorld[] = Object.entries<WorldFile['choices']>({
  ...MOCK_VARIANTS,
  'events-and-comments': { stream: { eventName: 'chunk', comment: 'hello' } },
  'models-by-name': { models: { shape: 'models', idField: 'name' } },
  'strict-about-messages': {
    messages: { extraFields: 'refuse', emptyList: 'refuse', emptyContent: 'refuse' },
  },
  'max-tokens-from-0': { request: { maxTokensMinimum: 0 } },
  'images-by-https-alone': { images: { schemes: ['https'] } },
}).map(([name, choices]) => mockWith(`mock-${name}`, choices));

function mockWith(name: string, choices: WorldFile['choices']): ProofWorld {
  const world = completeWorld({ choices }, WORLD);
  return { name, kind: 'variant', start: (seed) => startMockWith(seed, world) };
}

/** Every service whose verdicts are known. */
export const WORLDS: readonly ProofWorld[] = [
  ...MOCK_DEFECT_WORLDS,
  SIX_ORDINARY_BUGS,
  ...ADVERSARY_WORLDS,
  FAITHFUL_MOCK,
  ...MOCK_VARIANT_WORLDS,
  SECOND_SERVICE_WORLD,
  CONVENTIONAL_WORLD,
  ...VARIANT_WORLDS,
  IN_CHUNKS_WORLD,
  ...combinedWorlds(),
];

const BY_NAME: ReadonlyMap<string, ProofWorld> = new Map(WORLDS.map((world) => [world.name, world]));

/** Throws a TypeError given a name that no world has. */
export function worldNamed(name: string): ProofWorld {
  const world = BY_NAME.get(name);
  if (world === undefined) throw new TypeError(`no world is called ${name}`);
  return world;
}
