import { expect, test } from 'vitest';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { sizeOf, type Tier } from '../../cli/options/check-table.ts';
import type { Meddling, Seen } from '../support/layer.ts';
import { layeredRun } from '../support/layered-run.ts';

const run = (tier: Tier, meddle: (seen: Seen) => Meddling = () => undefined) =>
  layeredRun(meddle, { kind: 'live', ...sizeOf(tier, 'live'), allow: new Set(), seed: 3 });

const isPost = ({ method }: Seen): boolean => method === 'POST';

function idsWith(verdict: string, { clauses }: Summary): readonly string[] {
  return clauses.filter((clause) => clause.verdict === verdict).map(({ id }) => id);
}

/** What the specification refuses, as far as one request without its counterpart shows it. */
const SHOWN_BY_REFUSALS =
  'SVC-5 SVC-6 SVC-7 REQ-1 REQ-2 REQ-3 REQ-4 REQ-5 REQ-6 MSG-1 MSG-2 MSG-3 MSG-4 STR-4 ERR-3 ERR-4 ERR-11';

test('reserves no credit of a conformant service in the free tier, and exercises every refusal', async () => {
  const { summary, layer } = await run('free');
  expect(layer.mock.workspace.entries()).toEqual([]);
  expect(summary.spent).toMatchObject({ completions: 0, outputTokens: 0 });
  expect(summary.outcome).toBe('incomplete');
  expect(summary.cutShort).toEqual([
    expect.stringMatching(
      /^no chat was accepted, since this run sends only chats that must be refused: .*; clauses decided: \d+ of 62$/,
    ),
  ]);
  expect(idsWith('inconclusive', summary)).toEqual(expect.arrayContaining(SHOWN_BY_REFUSALS.split(' ')));
  const passed = 'SVC-2 SVC-3 MOD-1 VIS-1 ERR-1 ERR-2 ERR-10'.split(' ');
  expect(idsWith('pass', summary)).toEqual(expect.arrayContaining(passed));
  const inPart = summary.clauses.flatMap(({ id, missing }) => (missing === undefined ? [] : id));
  expect(inPart).toEqual(['AUTH-1', 'AUTH-2', 'VER-1', 'VER-2']);
  expect(summary.warnings[0]).toContain('no completions were requested');
});

test('passes no refusal given a service that refuses every chat', async () => {
  const error = JSON.stringify({ error: { code: 'no', message: 'No.', request_id: 'r' } });
  const { summary } = await run('free', (seen) => (isPost(seen) ? { status: 400, body: error } : undefined));
  expect(idsWith('pass', summary)).not.toContain('REQ-6');
  expect(idsWith('inconclusive', summary)).toEqual(expect.arrayContaining(['REQ-6', 'SVC-7', 'MSG-1']));
});

test('finds a violation in the free tier, and risks no second completion', async () => {
  const { summary, layer } = await run('free', ({ body }) => {
    const isChat = body.startsWith('{"model"') && body.endsWith('}');
    return isChat ? { instead: body.replace(/,"unheard_of":[^,}]+/, '') } : undefined;
  });
  expect(layer.mock.workspace.entries()).toHaveLength(1);
  expect(summary.spent.completions).toBe(1);
  expect(summary.outcome).toBe('violations');
  expect(idsWith('fail', summary)).toContain('REQ-6');
  expect(summary.cutShort[0]).toContain('a chat that must be refused was accepted');
});

test('sends no second chat in the free tier once an outcome is unknown', async () => {
  const { summary } = await run('free', (seen) => (isPost(seen) ? 'cut' : undefined));
  expect([summary.uncertain.length, summary.outcome]).toEqual([1, 'incomplete']);
});

test('passes the same clauses in the smoke tier as in the full tier, with half of the requests', async () => {
  const [smoke, full] = [await run('smoke'), await run('full')];
  expect([smoke.summary.cutShort, full.summary.cutShort]).toEqual([[], []]);
  expect(smoke.summary.outcome).toBe('conformant');
  expect(idsWith('pass', smoke.summary)).toEqual(idsWith('pass', full.summary));
  expect(smoke.layer.arrived()).toBeLessThan(full.layer.arrived() / 2);
  expect(smoke.summary.spent.completions).toBeLessThan(full.summary.spent.completions);
});
