import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { runCommand } from '../support/command.ts';
import { type Layer, type Meddling, type Seen, startLayer } from '../support/layer.ts';

const folder = mkdtempSync(join(tmpdir(), 'rate-limits-'));
const layers: Layer[] = [];
afterAll(async () => {
  for (const layer of layers) await layer.close();
  rmSync(folder, { recursive: true });
});

/** The command against a mock behind a layer that meddles with chats alone; `chats` is how many of them arrived. */
async function command(meddle: (seen: Seen) => Meddling, ...args: readonly string[]) {
  let chats = 0;
  const layer = await startLayer((seen) => {
    if (seen.method === 'GET') return undefined;
    chats += 1;
    return meddle({ ...seen, before: chats - 1 });
  });
  layers.push(layer);
  const report = mkdtempSync(join(folder, 'report-'));
  const { code, stdout } = await runCommand(
    ['--base-url', layer.baseUrl, '--seed', '1', '--report', report, ...args],
    { CHAT_API_KEY: layer.mock.keys['primary'] ?? '' },
  );
  const summary: Summary = JSON.parse(readFileSync(join(report, 'report.json'), 'utf8'));
  return { code, stdout, summary, chats };
}

let refusals = 0;

/** A rate limit error as the specification defines it. */
function limited(wait?: string): Meddling {
  refusals += 1;
  const error = { code: 'rate_limit', message: 'Too many requests.', request_id: `r-${refusals}` };
  const headers = wait === undefined ? {} : { 'retry-after': wait };
  return { status: 429, headers, body: JSON.stringify({ error }) };
}

test.concurrent.each([
  ['and asks for no wait', '0'],
  ['and does not say how long to wait', undefined],
])('ends incomplete given a target that refuses every chat for its rate %s', async (_, wait) => {
  const { code, summary, chats } = await command(() => limited(wait));
  expect({ code, outcome: summary.outcome }).toEqual({ code: 3, outcome: 'incomplete' });
  // Three of them five times each, and what was under way beside them.
  expect(chats).toBeLessThanOrEqual(30);
  expect(summary.cutShort[0]).toContain('3 requests in a row got nothing but rate limit errors');
  expect(summary.spent.completions).toBe(0);
  expect(summary.warnings.join()).toContain('the rate limit refused');
});

test.concurrent('ends incomplete at once given a target that asks for a wait of an hour', async () => {
  const { code, summary, chats } = await command(() => limited('3600'));
  expect({ code, outcome: summary.outcome }).toEqual({ code: 3, outcome: 'incomplete' });
  expect(chats).toBeLessThanOrEqual(4);
  expect(summary.cutShort[0]).toContain('asks to wait 3600 s');
});

test.concurrent.each([
  ['refuses the first chats for their rate', (seen: Seen) => (seen.before < 6 ? limited('0') : undefined)],
  ['refuses every other one', (seen: Seen) => (seen.before % 2 === 0 ? limited('0') : undefined)],
])('finishes given a target that %s', async (_, meddle) => {
  const { code, summary } = await command(meddle, '--only', 'chat-request', '--max-requests', '400');
  expect({ code, outcome: summary.outcome, cutShort: summary.cutShort }).toEqual({
    code: 0,
    outcome: 'conformant',
    cutShort: [],
  });
});

test.concurrent('requests no more completions after three uncertain outcomes in a row, and lists them', async () => {
  const { code, stdout, summary, chats } = await command(() => 'cut', '--concurrency', '1');
  expect({ code, outcome: summary.outcome }).toEqual({ code: 3, outcome: 'incomplete' });
  expect(chats).toBe(3);
  expect(summary.uncertain).toHaveLength(3);
  expect(stdout).toContain('Check these in the workspace');
  expect(summary.cutShort).toEqual([
    '3 requests in a row had an uncertain outcome',
    expect.stringContaining('no chat was accepted'),
  ]);
});
