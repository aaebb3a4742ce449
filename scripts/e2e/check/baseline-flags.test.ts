import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KnownFailure } from '../../../suites/engine/model/entry-schema.ts';
import { type CommandResult, callCommand } from '../support/command.ts';
import { type ErringService, startErringService } from '../support/erring-service.ts';
import { sharedFolder } from '../support/journalled-run.ts';

const folder = sharedFolder();
const made = join(folder, 'made.json');
const gate = join(folder, 'gate');
/** Serves every request, so that it violates REQ-6 and keeps VIS-1. */
let service: ErringService;

beforeAll(async () => {
  service = await startErringService(undefined, afterAll);
});

function check(...more: readonly string[]): Promise<CommandResult> {
  const args = ['--base-url', service.baseUrl, '--seed', '5', '--only', 'REQ-6,VIS-1', ...more];
  return callCommand(args, { CHAT_API_KEY: 'sk-a-key-of-this-test-0123' });
}

function listed(file: string): readonly KnownFailure[] {
  const { known }: { known: readonly KnownFailure[] } = JSON.parse(readFileSync(file, 'utf8'));
  return known;
}

function outcomeIn({ code, stdout }: CommandResult) {
  return [code, /^Outcome: .*$/m.exec(stdout)?.[0]];
}

function fileOf(name: string, known: readonly object[]): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ format: 'chat-conformance/baseline', version: 1, known }));
  return file;
}

const APART = /^Outcome: conformant \(apart from \d+ known failures\)$/;

test('writes a baseline with which the same run exits 0 and shows the known failures', async () => {
  expect(await check('--write-baseline', made)).toMatchObject({ code: 1 });
  expect(listed(made).length).toBeGreaterThan(0);
  const run = await check('--baseline', made, '--report', gate);
  expect(outcomeIn(run)).toEqual([0, expect.stringMatching(APART)]);
  expect(run.stdout).toContain('Known failures\n  known-parameter-refused: to be explained: ');
});

test('makes the baseline that the configuration names, with its folder, and then reads it', async () => {
  const config = join(folder, 'named.json');
  writeFileSync(config, JSON.stringify({ baseline: 'kept/known.json' }));
  const missing = await check('--config', config);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('--write-baseline creates it') });
  expect(await check('--config', config, '--write-baseline')).toMatchObject({ code: 1 });
  expect(outcomeIn(await check('--config', config))).toEqual([0, expect.stringMatching(APART)]);
  const nameless = await check('--write-baseline');
  expect(nameless).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a file') });
});

test('is reported from its journal with the same outcome, and as killed where it was', async () => {
  const same = outcomeIn(await callCommand(['report', gate]));
  expect(same).toEqual([0, expect.stringMatching(APART)]);
  // All checks of this release judge then, also those that were not selected.
  const judged = await callCommand(['report', '--rejudge', gate]);
  expect(judged.stdout).toMatch(/apart from \d+ known failures/);
  const other = await callCommand(['report', gate, '--baseline', fileOf('none.json', [])]);
  expect(outcomeIn(other)).toEqual([1, 'Outcome: violations']);
  const lines = readFileSync(join(gate, 'journal.ndjson'), 'utf8').split('\n');
  const killed = join(folder, 'killed.ndjson');
  for (const [kept, outcome] of [
    [lines.length - 2, /^Outcome: incomplete \(apart from \d+ known failures\)$/],
    // What was not reached is not out of date.
    [1 + lines.findIndex((line) => line.includes('"type":"survey"')), /^Outcome: incomplete$/],
  ] as const) {
    writeFileSync(killed, `${lines.slice(0, kept).join('\n')}\n`);
    expect(outcomeIn(await callCommand(['report', killed]))).toEqual([3, expect.stringMatching(outcome)]);
  }
});

test('exits 1 given an entry that no longer fails, and 0 given one whose check was not selected', async () => {
  const others = [...listed(made), { check: 'chat-served', reason: 'r' }];
  expect(await check('--baseline', fileOf('elsewhere.json', others))).toMatchObject({ code: 0 });
  const stale = fileOf('stale.json', [...others, { check: 'vision-answers-get', reason: 'r' }]);
  const { code, stdout } = await check('--baseline', stale);
  expect(stdout).toContain('Baseline out of date: vision-answers-get no longer fails');
  expect([code, stdout]).toEqual([1, expect.stringContaining('\nOutcome: violations')]);
});
