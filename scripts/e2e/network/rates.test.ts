import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { callCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';
import { type Meddling, type Seen, startLayer } from '../support/layer.ts';

const PER_SECOND = 40;

/** Refuses what comes sooner than the rate of a bucket allows that holds a tenth of a second: time itself is not judged. */
function bucket(): (seen: Seen) => Meddling {
  let [tokens, filledAt] = [PER_SECOND / 10, performance.now()];
  return () => {
    const now = performance.now();
    tokens = Math.min(PER_SECOND / 10, tokens + ((now - filledAt) / 1000) * PER_SECOND) - 1;
    filledAt = now;
    if (tokens > -1) return undefined;
    const error = { code: 'rate_limit', message: 'Too many requests.', request_id: `r-${now}` };
    return { status: 429, headers: { 'retry-after': '0' }, body: JSON.stringify({ error }) };
  };
}

test('holds every request to the pace', async () => {
  const meddle = bucket();
  const refused: string[] = [];
  const layer = await startLayer((seen) => {
    const meddling = meddle(seen);
    if (meddling !== undefined) refused.push(seen.path);
    return meddling;
  });
  const args = ['--base-url', layer.baseUrl, '--seed', '1', '--only', 'models,messages', '--tier', 'smoke'];
  const keys = { CHAT_API_KEY: layer.mock.keys['primary'] ?? '' };
  const { code } = await callCommand([...args, '--pace', `${PER_SECOND / 2}/s`], keys);
  expect({ code, refused }).toEqual({ code: 0, refused: [] });
});

const WINDOW_MS = 2500;

/** Serves so many requests in each window of time, and refuses the others until the next one begins. */
function windowOf(most: number) {
  let [startedAt, served, refused] = [-Infinity, 0, 0];
  const meddle = (): Meddling => {
    const now = performance.now();
    if (now - startedAt >= WINDOW_MS) [startedAt, served] = [now, 0];
    served += 1;
    if (served <= most) return undefined;
    refused += 1;
    const error = { code: 'rate_limit', message: 'Too many requests.', request_id: `r-${refused}` };
    const left = Math.ceil((startedAt + WINDOW_MS - now) / 1000);
    return { status: 429, headers: { 'retry-after': String(left) }, body: JSON.stringify({ error }) };
  };
  return { meddle, refused: () => refused };
}

test('waits out a limit of requests per time once, and says how long the run takes', async () => {
  const folder = temporaryFolder();
  const { meddle, refused } = windowOf(15);
  const layer = await startLayer(meddle);
  const args = ['--base-url', layer.baseUrl, '--seed', '1', '--only', 'models,messages', '--tier', 'smoke'];
  const keys = { CHAT_API_KEY: layer.mock.keys['primary'] ?? '' };
  const { code, stderr } = await callCommand([...args, '--report', folder], keys);
  expect({ code, isRefused: refused() > 0 }).toEqual({ code: 0, isRefused: true });
  expect(stderr).toMatch(
    /^rate limit: the target asks to wait \d s(?:; about \d+ s left for \d+ requests)?$/m,
  );
  // Each was sent again once: whoever does not understand the wait, tries again too soon.
  expect(readFileSync(join(folder, 'journal.ndjson'), 'utf8')).not.toMatch(/"type":"sent","id":"[^"]*\.3"/);
  const summary: Summary = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  expect(summary.cutShort).toEqual([]);
});

test('takes the refusal that ends its own burst for what ERR-5 looks for, and waits for nobody before', async () => {
  const folder = temporaryFolder();
  let inFlight = 0;
  const layer = await startLayer(({ method }) => {
    if (method === 'GET') return undefined;
    inFlight += 1;
    setTimeout(() => (inFlight -= 1), 50);
    if (inFlight <= 6) return undefined;
    const error = { code: 'rate_limit', message: 'Too many requests.', request_id: `r-${performance.now()}` };
    return { status: 429, headers: { 'retry-after': '86400' }, body: JSON.stringify({ error }) };
  });
  const args = ['--base-url', layer.baseUrl, '--seed', '1', '--only', 'ERR-5', '--allow', 'disruptive'];
  const keys = { CHAT_API_KEY: layer.mock.keys['primary'] ?? '' };
  const { stderr } = await callCommand([...args, '--concurrency', '1', '--report', folder], keys);
  const summary: Summary = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  expect(summary.checks.find(({ id }) => id === 'rate-limit-error')?.verdict).toBe('pass');
  expect(summary.cutShort).toEqual([]);
  expect(stderr).not.toContain('asks to wait');
});
