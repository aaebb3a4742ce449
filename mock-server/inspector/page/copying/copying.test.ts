import { exec, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { showRule } from '../../../control/fault-operations.ts';
import { compileFaults, compilePlan } from '../../../faults/compile-rules.ts';
import { FaultPlan } from '../../../faults/fault-plan.ts';
import { parseFault } from '../../../faults/parse-fault.ts';
import { showExchange, type ShownExchange } from '../../../journal/shown-exchange.ts';
import { testMock } from '../../../sandboxes/test-mock.ts';
import { type Mock, startMock } from '../../../start-mock.ts';
import { builtInWorld } from '../../../world/built-in-world.ts';
import { readRecipes } from '../../read-recipes.ts';
import type { RuleAnswer } from '../state/wire.ts';
import { ruleLine } from '../worlds/recipes.ts';
import { asLine, asScenario, asTest } from './as-code.ts';
import { asCurl } from './as-curl.ts';

const BODY = JSON.stringify({
  model: 'compact-1',
  messages: [{ role: 'user', content: 'It\'s\n"so" \\ `$1`' }],
});

async function struck(mock: Mock): Promise<ShownExchange> {
  const headers = {
    authorization: `Bearer ${mock.keys['primary']}`,
    'content-type': 'application/json',
    'idempotency-key': "it's",
  };
  const sent = fetch(`${mock.url}/chat/completions`, {
    method: 'POST',
    headers,
    body: BODY,
    signal: AbortSignal.timeout(300),
  });
  await sent.then((answer) => answer.text()).catch(() => {});
  const [writer] = mock.sandboxes.root.journal?.writers() ?? [];
  if (writer === undefined) throw new Error('nothing is journalled');
  return showExchange(writer, mock.world.keys);
}

const rulesOf = ({ sandboxes }: Mock): readonly RuleAnswer[] =>
  sandboxes.root.service.faults
    .rules()
    .map(({ id, rule: { fault, phase, match, times, after, probability }, ...rest }) => {
      const { fault: name, ...parameters } = fault;
      const rule = {
        fault: name,
        ...parameters,
        phase,
        match,
        after,
        probability,
        ...(Number.isFinite(times) && { times }),
      };
      return { id, fault: name, phase, rule: withoutOutcome(rule), ...rest };
    });

function withoutOutcome(rule: Record<string, unknown>): Record<string, unknown> {
  const { outcome: _, ...rest } = rule;
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
}

/** Runs what a copied test says, on a mock of its own. */
async function run(source: string): Promise<void> {
  const mock = await startMock({ control: true });
  const sandbox = mock.sandboxes.create();
  if (sandbox === null) throw new Error('no sandbox');
  mock.sandboxes.front = sandbox;
  const bodies: (() => Promise<void>)[] = [];
  const code = stripTypeScriptTypes(source.replaceAll(/^import .*$/gm, ''));
  // oxlint-disable-next-line typescript/no-implied-eval -- a copied test is a text
  const define = new Function('useMock', 'expect', 'test', code);
  define(
    () => () => testMock(mock, sandbox),
    expect,
    (_: string, body: () => Promise<void>) => bodies.push(body),
  );
  expect(bodies).toHaveLength(1);
  await bodies[0]?.();
  expect(testMock(mock, sandbox).faults.unfired()).toEqual([]);
  await mock.close();
}

test('copies a curl line that asks the same address once, whatever brackets and braces stand in it', async ({
  skip,
}) => {
  skip(spawnSync('curl', ['--version']).status !== 0, 'curl is not here: apt-get install curl');
  const mock = await startMock({ control: true });
  onTestFinished(() => mock.close());
  const url = "/v1/models?ids[]=[1-3]&{a,b}=it's";
  await fetch(new URL(mock.url).origin + url);
  const writers = () => mock.sandboxes.root.journal?.writers() ?? [];
  const [first] = writers().map((each) => showExchange(each, mock.world.keys));
  if (first === undefined) throw new Error('nothing is journalled');
  const line = asCurl(first, new URL(mock.url).origin);
  await promisify(exec)(line);
  expect(writers().map((each) => showExchange(each, mock.world.keys).request?.url)).toEqual(
    Array(2).fill(first.request?.url),
  );
});

test.each([
  'gateway_failure phase=after-debit body=html after=0 times=1',
  'rate_limit',
  'body_cut bytes=20 times=1',
  'timeout model=compact-1 times=2',
])('copies a test that passes where the same happens: %s', async (fault) => {
  const mock = await startMock({ control: true, faults: [fault] });
  const exchange = await struck(mock);
  const source = asTest(exchange, rulesOf(mock));
  await mock.close();
  expect(source).toContain(`.arm('${fault.split(' ')[0]}`);
  await run(source);
  await expect(run(source.replaceAll(/^ {2}mock\(\)\.arm.*$/gm, ''))).rejects.toThrow(
    /expected|promise resolved/,
  );
});

test.each([
  [
    'gateway_failure',
    {
      fault: 'gateway_failure',
      status: 502,
      phase: 'after-debit',
      match: {},
      after: 0,
      probability: 1,
      times: 1,
    },
    'gateway_failure status=502 phase=after-debit times=1',
  ],
  [
    'a match',
    { fault: 'timeout', match: { model: 'a b', stream: true, nth: 2 }, after: 3 },
    'timeout after=3 model="a b" stream=true nth=2',
  ],
])('writes %s as a line that is read back as the same rule', (_, rule, line) => {
  expect(asLine(rule)).toBe(line);
  expect(
    compileFaults([line.replace(' model="a b"', '').replace(' after=3', '')], builtInWorld),
  ).toHaveLength(1);
  expect(parseFault(line)).toMatchObject({ fault: rule.fault });
});

test('writes every rule of the cookbook as a line that arms the same rule', () => {
  const document = readFileSync(new URL('../../../../docs/cookbook.md', import.meta.url), 'utf8');
  const steps = readRecipes(document).flatMap((recipe) => recipe.steps);
  const lines = steps.filter(({ verb }) => verb === 'fault').map(({ text }) => text);
  const armed = (line: string): RuleAnswer['rule'] | undefined => {
    const [rule] = new FaultPlan(1, () => 0).arm(compilePlan([line]));
    return rule && showRule(rule).rule;
  };
  for (const line of [...lines, 'timeout ms=100..500 model="compact-1"']) {
    const rule = armed(line);
    expect([line, rule]).toEqual([line, expect.anything()]);
    expect([line, armed(asLine(rule ?? {}))]).toEqual([line, rule]);
  }
});

test('writes a scenario without what is so by default', () => {
  const rule = { fault: 'timeout', phase: 'after-debit', match: {}, after: 0, probability: 1, times: 1 };
  const armed = {
    id: 'rule_1',
    fault: 'timeout',
    phase: 'after-debit',
    rule,
    seen: 0,
    fired: 0,
    over: false,
  };
  expect(JSON.parse(asScenario([armed], 7))).toEqual({
    seed: 7,
    faults: [{ fault: 'timeout', phase: 'after-debit', times: 1 }],
  });
});

test('writes the fields of a form as a line, without the empty ones', () => {
  expect(ruleLine('timeout', { times: '1', phase: '', model: 'a b', ms: ' 5 ' })).toBe(
    'timeout times=1 model="a b" ms=5',
  );
});
