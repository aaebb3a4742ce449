import { InvalidArgumentError } from 'commander';
import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import { didYouMean } from '../../fixtures/words/did-you-mean.ts';
import { DEFECTS } from '../../mock-server/defects/defects.ts';
import { startMock } from '../../mock-server/start-mock.ts';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import { completeWorld } from '../../mock-server/world/check-world.ts';
import type { WorldPart, World as MockWorld } from '../../mock-server/world/world-schema.ts';
import { tryCaller } from '../caller/try-caller.ts';
import { MOCK_VARIANTS } from '../cli/mock/mock-words.ts';
import { ADVERSARIES, type Adversary, startAdversary } from './adversaries.ts';
import { BROKEN_REACTIONS, DOUBTFUL_CALLERS } from './callers/broken-reactions.ts';
import { BROKEN_REQUESTS } from './callers/broken-requests.ts';
import { FAITHFUL_CALLERS } from './callers/faithful-callers.ts';
import type { ProofCallers } from './callers/proof-caller.ts';
import { type CallerKind, runAgainst, saidIn, type StartService, type World } from './proof-run.ts';
import { startSecondService } from './second-service/start-second-service.ts';
import { ERROR_VARIANTS } from './variants/error-variants.ts';
import { MODEL_VARIANTS } from './variants/model-variants.ts';
import { REQUEST_VARIANTS } from './variants/request-variants.ts';
import { RESPONSE_VARIANTS } from './variants/response-variants.ts';
import { STREAM_VARIANTS } from './variants/stream-variants.ts';
import { type Leaves, UNREAD_BY_CLIENT, type Variant } from './variants/variant.ts';

/** Slow enough to differ, even on a busy machine, from the models that answer at once. */
const SLOW_MS = 250;

/** Few enough that a burst meets the limit within the caps of a live target, however busy the machine is. */
const CONCURRENCY = 8;

const MOCK_WORLD: MockWorld = {
  ...builtInWorld,
  keys: builtInWorld.keys.map((key) => ({ ...key, concurrency: CONCURRENCY })),
  models: builtInWorld.models.map((model) =>
    model.latencyMs === undefined ? model : { ...model, latencyMs: SLOW_MS },
  ),
};

/** The mock, with these choices and defects. For a defect of an open clause, the profile pins what the defect departs from. */
function mockWith(choices: WorldPart['choices'], ...defects: readonly string[]): StartService {
  const world = completeWorld({ choices }, MOCK_WORLD);
  const pins = Object.assign({}, ...defects.map((name) => DEFECTS.get(name)?.pins));
  return async (seed) => {
    const mock = await startMock({ world, seed, control: true, defect: defects });
    const { primary = '', ...others } = mock.keys;
    return {
      baseUrl: mock.url,
      keys: { primary, ...others },
      ...(mock.control !== undefined && { controlUrl: mock.control }),
      profile: { pins },
      imbalances: () => mock.workspace.invariants(),
      close: () => mock.close(),
    };
  };
}

/** A run says something true of every service with a defect, however it ends. */
const ANY_END = ['conformant', 'violations', 'incomplete', 'capped'] as const;

/** The mock with these defects. */
function broken(name: string, ...defects: readonly string[]): World {
  const breaks = defects.flatMap((defect): readonly ClauseId[] => DEFECTS.get(defect)?.clauses ?? []);
  const alsoBlamed = Object.assign({}, ...defects.map((defect) => DEFECTS.get(defect)?.alsoBlamed));
  return {
    name,
    kind: 'defect',
    // However many mistakes a service has, none hides another: the run says something of every clause.
    expected: { ends: ANY_END, breaks, alsoBlamed, ...(defects.length > 1 && { leaves: {} }) },
    run: runAgainst(mockWith({}, ...defects)),
  };
}

const SIX_ORDINARY_BUGS = broken(
  'six-ordinary-bugs',
  'unknown-fields-stripped',
  'temperature-unchecked',
  'famous-models-mapped',
  'stream-trickles',
  'scope-not-checked-in-whole-answers',
  'plain-text-in-rate-limit-errors',
);

/** A service that keeps every clause. */
function faithful(name: string, start: StartService, leaves: Leaves = {}): World {
  const expected = { ends: ['conformant', 'capped'], breaks: [], alsoBlamed: {}, leaves } as const;
  return { name, kind: 'variant', expected, run: runAgainst(start) };
}

/** The second service, with the profile that its user would write. */
function secondService([name, variant]: readonly [name: string, Variant]): World {
  const { profile = {} } = variant;
  return faithful(name, async (seed) => ({ ...(await startSecondService(seed, variant)), profile }), variant);
}

/** Only an adversary keeps a run waiting on purpose. */
const PATIENCE_MS = 1500;

function adversarial([name, { ends, keeps, answers }]: readonly [name: string, Adversary]): World {
  const expected = { ends, keeps, breaks: [], alsoBlamed: 'anything' } as const;
  return { name, kind: 'adversary', expected, run: runAgainst(() => startAdversary(answers), PATIENCE_MS) };
}

function calling(kind: CallerKind, callers: ProofCallers): readonly World[] {
  return Object.entries(callers).map(([name, [scenarios, start, ...clauses]]) => {
    const expected = {
      'broken-caller': { ends: ['violations'], breaks: clauses },
      'doubtful-caller': { ends: ['incomplete'], breaks: [], doubted: clauses },
      'faithful-caller': { ends: ['conformant'], breaks: [] },
    } as const;
    // The scenarios say how much a caller sends.
    const run: World['run'] = async (_size, seed) =>
      saidIn(await tryCaller({ name, scenarios: [scenarios].flat(), start, seed }));
    return { name, kind, expected: { alsoBlamed: {}, ...expected[kind] }, run };
  });
}

/** The mock as it is out of the box, with each of its variants, and with what only it can choose. */
const MOCKS = Object.entries<WorldPart['choices']>({
  mock: {},
  ...Object.fromEntries(Object.entries(MOCK_VARIANTS).map(([name, choices]) => [`mock-${name}`, choices])),
  'mock-events-and-comments': { stream: { eventName: 'chunk', comment: 'hello' } },
  'mock-models-by-name': { models: { shape: 'models', idField: 'name' } },
  'mock-images-by-https-alone': { images: { schemes: ['https'] } },
});

/** What a run of some of them leaves unexercised; of the others it exercises everything. */
const LEFT_BY_MOCKS: Readonly<Record<string, Leaves>> = {
  'mock-finish-as-stop-reason': UNREAD_BY_CLIENT,
  'mock-finish-at-the-root': UNREAD_BY_CLIENT,
  'mock-finish-in-other-words': { ...UNREAD_BY_CLIENT, unreadable: ['RES-3', 'RES-5'] },
  'mock-models-under-models': UNREAD_BY_CLIENT,
  'mock-models-in-a-bare-list': UNREAD_BY_CLIENT,
  'mock-models-by-name': UNREAD_BY_CLIENT,
  'mock-images-by-https-alone': { untestable: ['MSG-3'] },
  'mock-one-whole-event': UNREAD_BY_CLIENT,
  'mock-errors-at-the-root': UNREAD_BY_CLIENT,
};

/** Every service and every caller whose verdicts are known. */
export const WORLDS: readonly World[] = [
  ...Array.from(DEFECTS.keys(), (name) => broken(name, name)),
  SIX_ORDINARY_BUGS,
  ...Object.entries(ADVERSARIES).map(adversarial),
  ...MOCKS.map(([name, choices]) => faithful(name, mockWith(choices), LEFT_BY_MOCKS[name])),
  ...Object.entries({
    'second-service': {},
    ...REQUEST_VARIANTS,
    ...MODEL_VARIANTS,
    ...RESPONSE_VARIANTS,
    ...STREAM_VARIANTS,
    ...ERROR_VARIANTS,
  }).map(secondService),
  ...calling('faithful-caller', FAITHFUL_CALLERS),
  ...calling('broken-caller', { ...BROKEN_REACTIONS, ...BROKEN_REQUESTS }),
  ...calling('doubtful-caller', DOUBTFUL_CALLERS),
];

const BY_NAME: ReadonlyMap<string, World> = new Map(WORLDS.map((world) => [world.name, world]));

/** What these names, beginnings of names and kinds match. Throws what a parser of options may, given one that matches none. */
export function worldsNamed(words: readonly string[]): readonly World[] {
  return words.flatMap((word) => {
    const named = WORLDS.filter(({ name, kind }) => kind === word || name.startsWith(word));
    const near = didYouMean(word, [...BY_NAME.keys()]);
    if (named.length === 0) throw new InvalidArgumentError(`nothing is called "${word}"${near}`);
    return named;
  });
}

/** Throws a TypeError given a name that no world has. */
export function worldNamed(name: string): World {
  const world = BY_NAME.get(name);
  if (world === undefined) throw new TypeError(`no world is called ${name}`);
  return world;
}
