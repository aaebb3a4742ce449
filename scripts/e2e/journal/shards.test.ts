import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKS, INVARIANTS } from '../../../suites/catalogue.ts';
import { readJournal } from '../../../suites/engine/journal/read-journal.ts';
import { recordingOf } from '../../../suites/engine/journal/recording.ts';
import type { RunOptions } from '../../../suites/engine/model/run.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { judgedThen } from '../../../suites/engine/running/rejudge.ts';
import { runSuites } from '../../../suites/engine/running/run-suites.ts';
import { mergeShards } from '../../../suites/engine/running/shards.ts';
import { splitRun } from '../../../suites/engine/running/split-run.ts';
import { summarise } from '../../../suites/engine/summary/summarise.ts';
import { sizeOf } from '../../cli/options/check-defaults.ts';
import { readRun } from '../../cli/reports/journal-commands.ts';
import { callCommand, type CommandResult } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { journalledRun, shortRun, temporaryFolder } from '../support/journalled-run.ts';
import type { Meddling, Seen } from '../support/layer.ts';
import { layeredTarget } from '../support/layered-run.ts';

const KEYS = { primary: 'sk-a-key-of-a-shard-0123' };
const NOWHERE = {
  baseUrl: 'http://127.0.0.1:9/v1',
  kind: 'live',
  keys: KEYS,
  profile: {},
  headers: {},
} as const;

/** The options of each shard of a run. */
function shardsOf(options: RunOptions, count: number): readonly RunOptions[] {
  const { checks, caps } = options;
  return splitRun(options, count).map((share, i) => ({
    ...options,
    ...share,
    shard: { index: i + 1, count, release: '0.0.0', checks, caps },
  }));
}

/** Runs one shard after the other; returns their journals, and what they come to. */
async function shardedRun([one, ...others]: readonly RunOptions[]) {
  if (one === undefined) throw new Error('there is no shard');
  const first = (await journalledRun(one)).file;
  const rest: string[] = [];
  for (const shard of others) rest.push((await journalledRun(shard)).file);
  const entries = mergeShards([readRun(first), ...rest.map(readRun)], INVARIANTS);
  const summary = summarise(judgedThen(recordingOf(entries, 'merged'), INVARIANTS));
  return { files: [first, ...rest], entries, summary };
}

/** Temperatures that must be refused are served. */
function lenient({ method, body }: Seen): Meddling {
  if (method === 'GET' || !body.includes('"temperature"')) return undefined;
  return { instead: body.replaceAll(/"temperature":[^,}]+/g, '"temperature":0.5') };
}

const IN_PASSING: ReadonlySet<string> = new Set(INVARIANTS.map(({ id }) => id));

/**
 * What two summaries have to agree on. What several shards sent, invariants judge once for each of them; whether a
 * repeat finds its request in flight depends on how busy the machine is.
 */
function said({ outcome, seed, caps, checks, clauses, open: all, cutShort }: Summary) {
  const open = all.filter(({ point }) => point !== 'idempotency.in_flight');
  const results = checks.map((check) => ({
    ...check,
    durationMs: 0,
    evidence: check.evidence.map(({ finding }) => finding.code),
    ...(IN_PASSING.has(check.id) && { exchanges: 0 }),
  }));
  return { outcome, seed, caps, checks: results, clauses, open, cutShort };
}

test('gives every check to exactly one shard, and shares the caps so that they add up to the whole', () => {
  for (const [requests, completions] of [
    [100, 2],
    [300, 80],
    [3, 0],
  ] as const)
    for (const count of [1, 3]) {
      const caps = { requests, completions, outputTokens: 16 };
      const shards = shardsOf(shortRun(NOWHERE, { ...sizeOf('full', 'live'), caps }), count);
      const ids = shards.flatMap(({ checks }) => checks.map(({ id }) => id));
      expect(ids.toSorted()).toEqual(CHECKS.map(({ id }) => id).toSorted());
      const stimuli = shards.flatMap(({ checks }) => [...new Set(checks.map(({ given }) => given))]);
      expect(new Set(stimuli).size).toBe(stimuli.length);
      const sum = (of: 'requests' | 'completions') => shards.reduce((all, shard) => all + shard.caps[of], 0);
      expect([sum('requests'), sum('completions')]).toEqual([requests, completions]);
      expect(shards.every((shard) => shard.caps.requests > 0 && shard.caps.outputTokens === 16)).toBe(true);
    }
});

test('reports three shards as it reports the whole run, and counts each request once', async () => {
  const { layer, target } = await layeredTarget(lenient, { control: true, seed: 11 });
  const options = shortRun(target, { runs: 'few', control: { url: layer.mock.control ?? '' } });
  const whole = await runSuites(options);
  const { entries, summary } = await shardedRun(shardsOf(options, 3));
  expect(whole.outcome).toBe('violations');
  expect(said(summary)).toEqual(said(whole));
  const sent = entries.filter(({ type }) => type === 'sent').map((entry) => 'id' in entry && entry.id);
  expect(new Set(sent).size).toBe(sent.length);
  expect(summary.spent.requests).toBe(sent.length);
  expect(sent.filter((id) => String(id).startsWith('preflight/')).length).toBe(3 * 3);
});

test('finds a request ID that errors of two shards share', async () => {
  const answers = new Map<string, number>();
  const { baseUrl } = await startErringService(({ method, path, headers }, response) => {
    if (method === 'GET') return false;
    const agent = String(headers['x-shard']);
    const nth = (answers.get(agent) ?? 0) + 1;
    answers.set(agent, nth);
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: 'no', message: `No: ${path}`, request_id: `req-${nth}` } }));
    return true;
  });
  const target = { ...NOWHERE, kind: 'mock', baseUrl } as const;
  const shards = shardsOf(shortRun(target, { runs: 'few' }), 2).map((shard, i) => ({
    ...shard,
    target: { ...target, headers: { 'x-shard': String(i) } },
  }));
  const verdict = ({ checks }: Summary) => checks.find(({ id }) => id === 'request-id-unique')?.verdict;
  const { files, summary } = await shardedRun(shards);
  const alone = files.map((file) => summarise(judgedThen(readJournal(file), [])));
  expect([...alone.map(verdict), verdict(summary)]).toEqual(['pass', 'pass', 'fail']);
});

test('merges shards into the reports of the whole run, or of an incomplete one, and refuses others', async () => {
  const folder = temporaryFolder();
  const out = (name: string): string => join(folder, name);
  const check = (report: string, ...more: readonly string[]): Promise<CommandResult> =>
    callCommand(['--tier', 'smoke', '--only', 'models,REQ-6', '--quiet', '--report', report, ...more]);
  const [first, second, third] = [out('1'), out('2'), out('3')];
  const whole = out('whole');
  await check(whole, '--seed', '5');
  for (const [i, shard] of [first, second, third].entries())
    await check(shard, '--seed', '5', '--shard', `${i + 1}/3`);

  const merged = out('merged');
  const { code, stdout } = await callCommand(['merge', third, second, first, '--report', merged]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Outcome: conformant')]);
  expect(await callCommand(['report', merged])).toMatchObject({ code, stdout });
  const nothing = expect.stringMatching(/^0 worse, 0 better, 0 changed/);
  expect(await callCommand(['diff', whole, merged])).toMatchObject({ code: 0, stdout: nothing });

  const missing = await callCommand(['merge', first, second]);
  expect([missing.code, missing.stdout]).toEqual([3, expect.stringContaining('shard 3/3 is missing')]);

  const unreached = out('unreached');
  const nowhere = ['--base-url', NOWHERE.baseUrl, '--seed', '1', '--shard', '1/2', '--report', unreached];
  expect((await callCommand(nowhere, { CHAT_API_KEY: KEYS.primary })).code).toBe(4);
  expect((await callCommand(['merge', unreached, '--quiet'])).code).toBe(3);

  const lines = readFileSync(join(first, 'journal.ndjson'), 'utf8').split('\n');
  const last = lines.findLastIndex((line) => line.includes('"type":"sent"'));
  const killed = out('killed.ndjson');
  writeFileSync(killed, lines.slice(0, last + 1).join('\n') + '\n{"type":"en');
  const cut = await callCommand(['merge', killed, second, third]);
  const why = /shard 1\/3: the run was killed while \d+ requests? (?:was|were) in flight/;
  expect([cut.code, cut.stdout]).toEqual([3, expect.stringMatching(why)]);
  expect(cut.stderr).toContain(`${killed}: ignored the last line`);

  const otherRun = out('other-run');
  await check(otherRun, '--seed', '6', '--shard', '3/3');
  for (const [args, line] of [
    [[first, second, otherRun], 'are shards of different runs: they differ in seed'],
    [[first, second, second], 'are both shard 2/3'],
    [[first, merged], 'is not a shard: it is already merged'],
    [[first, second, third, '--report', second], 'is the folder of a shard'],
  ] as const) {
    const wrong = await callCommand(['merge', ...args]);
    expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(line) });
  }
});
