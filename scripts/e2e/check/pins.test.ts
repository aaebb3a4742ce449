import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  isOpenPointName,
  OPEN_POINTS,
  type OpenPointName,
  openPoints,
} from '../../../fixtures/clauses/open-points.ts';
import { type Mock, startMock } from '../../../mock-server/start-mock.ts';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import { CHECKS } from '../../../suites/catalogue.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import type { Profile } from '../../../suites/engine/model/target.ts';
import { runSuites } from '../../../suites/engine/running/run-suites.ts';
import { shortRun, targetOf } from '../support/journalled-run.ts';

/** What bears on points that say where something is or how it is named, and what is stated of the same answers. */
const STIMULI = new Set(['accepted-chats', 'error-conditions', 'model-listings', 'vision-answer']);

/** Nothing is there, or nothing that could be it. */
const WRONG: Readonly<Partial<Record<OpenPointName, readonly string[]>>> = {
  'response.finish_reason': ['/choices/0/outcome', '', '/choices/0'],
  'response.usage': ['/spent', '', '/choices'],
  'response.usage.input': ['words_in'],
  'response.usage.output': ['words_out'],
  'response.usage.total': ['words'],
  'models.list': ['/models', '', '/data/0'],
  'models.id': ['/tag', ''],
  'vision.list': ['/models', ''],
  'vision.shape': ['flag'],
  'stream.framing': ['whole'],
  'stream.text': ['/delta', ''],
  'stream.terminator': ['END'],
  'stream.newline': ['crlf'],
  'stream.finish_reason': ['/outcome', ''],
  'stream.usage': ['/spent', ''],
  'error.code': ['/error/number', '/code', ''],
  'error.message': ['/error/text', ''],
  'error.request_id': ['/request_id', '/error'],
  'error.code.unknown_field': ['no_such_code'],
};

let mock: Mock;
let unpinned: Summary;

beforeAll(async () => {
  mock = await startMock();
  unpinned = await run({});
});
afterAll(() => mock.close());

async function run(pins: NonNullable<Profile['pins']>, target = mock): Promise<Summary> {
  const checks = CHECKS.filter(({ given }) => STIMULI.has(given.name));
  return runSuites(shortRun(targetOf(target, { profile: { pins } }), { checks, runs: 'few' }));
}

/** The verdicts of all checks but those of some clauses. */
function verdictsBeside(clauses: ReadonlySet<string>, { checks }: Summary) {
  return checks
    .filter((check) => !check.clauses.some((each) => clauses.has(each)))
    .map(({ id, verdict }) => [id, verdict]);
}

test('covers every point whose value is a pointer', () => {
  const pointers = openPoints()
    .filter(({ value }) => value === 'pointer')
    .map(({ name }) => name);
  expect(pointers.filter((name) => !(name in WRONG))).toEqual([]);
});

test.each([0, 1, 2])(
  'fails only the open clauses given points pinned to what is not there (%i)',
  async (nth) => {
    const pins = Object.entries(WRONG).flatMap(([point, values]) =>
      isOpenPointName(point) && values[nth] !== undefined ? [[point, values[nth]] as const] : [],
    );
    const summary = await run(Object.fromEntries(pins));
    const failures = summary.checks.flatMap(({ verdict, failures: all }) => (verdict === 'fail' ? all : []));
    expect(new Set(failures.map(({ code, path }) => `${code} ${path}`))).toEqual(
      new Set(pins.map(([point]) => `drift ${point}`)),
    );
    const observed = ({ open }: Summary) => open.map(({ point, observed: value }) => [point, value]);
    expect(observed(summary)).toEqual(observed(unpinned));
    const clauses = new Set<string>(pins.map(([point]) => OPEN_POINTS[point].clause));
    const blamed = summary.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect(new Set(blamed)).toEqual(clauses);
    expect(verdictsBeside(clauses, summary)).toEqual(verdictsBeside(clauses, unpinned));
  },
);

test('fails the open clause given a pinned location that is absent', async () => {
  const { choices } = builtInWorld;
  const flagged = await openMock({
    world: { ...builtInWorld, choices: { ...choices, vision: { shape: 'flag' } } },
  });
  const { checks } = await run({ 'vision.list': '/data' }, flagged);
  expect(checks.filter(({ verdict }) => verdict === 'fail').map(({ reason }) => reason)).toEqual([
    'the profile pins vision.list to "/data"; got null',
  ]);
});
