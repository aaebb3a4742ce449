import { expect, onTestFinished, test } from 'vitest';
import { HEADERS } from '../../../fixtures/chats/wire.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { runSuites } from '../../../suites/kit/running/run-suites.ts';
import type { Survey } from '../../../suites/kit/model/target-info.ts';
import { type Meddling, type Seen, startLayer } from '../../e2e/layer.ts';
import { FAITHFUL_MOCK } from '../mock-worlds.ts';
import { proofPage } from '../proof-page.ts';
import { SIZED } from '../size.ts';
import { HELD_OUT_FAMILIES, type HeldOutFamily } from './held-out-family.ts';
import { heldOutFigures, SEED_COUNTS } from './held-out-figures.ts';
import { surveyOf } from './survey-of.ts';
import { thingsSent } from './things-sent.ts';

const FAILED = { status: 500, body: JSON.stringify({ oh: 'no' }) };

async function survey(): Promise<Survey> {
  const standing = await FAITHFUL_MOCK.start(1);
  onTestFinished(() => standing.close());
  return surveyOf(standing);
}

type Mistake = (chat: object, thing: string, model: string) => Meddling;

/** What a service does that is wrong about one thing: it sees another request, or fails. Keys are no matter of a body. */
const MISTAKES: Readonly<Record<string, Mistake>> = {
  'field-let-through': (chat, field) => ({ instead: JSON.stringify({ ...chat, [field]: undefined }) }),
  'model-mapped': (chat, _, model) => ({ instead: JSON.stringify({ ...chat, model }) }),
  'body-that-fails': () => FAILED,
};

const FAMILIES = HELD_OUT_FAMILIES.filter(({ name }) => MISTAKES[name] !== undefined);

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The thing in a request that came; none in one that is of no interest to the family. */
function thingIn(family: HeldOutFamily, { method, path, contentType, body }: Seen): string | undefined {
  const isBodies = family.name === 'body-that-fails';
  if (method !== 'POST' || (!isBodies && !('model' in parsed(body)))) return undefined;
  const headers = contentType === undefined ? {} : { [HEADERS.contentType]: contentType };
  return family.about({ method: 'POST', path, headers, body });
}

/** The checks and invariants that fail, within the caps of a live target, of a service that is wrong about one thing. */
async function failures(family: HeldOutFamily, thing: string, seed: number): Promise<readonly string[]> {
  const mistake = MISTAKES[family.name];
  const { mock, baseUrl, close } = await startLayer((seen) =>
    thingIn(family, seen) === thing ? mistake?.(parsed(seen.body), thing, 'compact-1') : undefined,
  );
  onTestFinished(close);
  const { primary = '', ...others } = mock.keys;
  const { checks } = await runSuites({
    ...SIZED.unaided,
    target: { baseUrl, kind: 'live', keys: { primary, ...others }, profile: {}, headers: {} },
    checks: family.checks,
    invariants: INVARIANTS,
    seed,
    timeoutMs: 20_000,
  });
  return checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

test.each(FAMILIES)('tells of $name just what runs find, and what they do not come to', async (family) => {
  const of = await survey();
  const { runs } = SIZED.unaided;
  const [one, other] = [await thingsSent(family, of, 1, runs), await thingsSent(family, of, 2, runs)];
  const onlyInOne = [...one].find((thing) => !other.has(thing));
  const onlyInOther = [...other].findLast((thing) => !one.has(thing));
  for (const [thing = '', with1, with2] of [
    [onlyInOne, true, false],
    [onlyInOther, false, true],
  ] as const) {
    expect([thing, (await failures(family, thing, 1)).length > 0]).toEqual([thing, with1]);
    expect([thing, (await failures(family, thing, 2)).length > 0]).toEqual([thing, with2]);
  }
});

test('finds more from seed to seed, and never all of a large family with one', async () => {
  const figures = await heldOutFigures(await survey());
  for (const { defects, always, after } of Object.values(figures)) {
    const rates = SEED_COUNTS.map((count) => after[count] ?? 0);
    expect(rates).toEqual(rates.toSorted((a, b) => a - b));
    expect(always / defects).toBeLessThan(rates[0] ?? 0);
    expect(rates.at(-1)).toBeLessThanOrEqual(1);
  }
});

test('shows the families once they were measured, and nothing before', async () => {
  expect(proofPage({})).not.toContain('held out');
  const after = { 1: 0.25, 5: 0.5, 10: 0.75, 20: 1 };
  const page = proofPage({ heldOut: { 'model-mapped': { defects: 8, always: 1, after } } });
  expect(page).toMatch(/`model-mapped` .*\| 8 +\| 1 +\| 25\.0 % .*\| 100\.0 %/);
});
