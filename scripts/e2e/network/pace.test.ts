import { expect, onTestFinished, test } from 'vitest';
import { callCommand } from '../support/command.ts';
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

test('holds every request to the pace, and says how long that takes', async () => {
  const meddle = bucket();
  const refused: string[] = [];
  const layer = await startLayer((seen) => {
    const meddling = meddle(seen);
    if (meddling !== undefined) refused.push(seen.path);
    return meddling;
  });
  onTestFinished(() => layer.close());
  const args = ['--base-url', layer.baseUrl, '--seed', '1', '--only', 'models,messages', '--tier', 'smoke'];
  const keys = { CHAT_API_KEY: layer.mock.keys['primary'] ?? '' };
  const { code, stderr } = await callCommand([...args, '--pace', `${PER_SECOND / 2}/s`], keys);
  expect({ code, refused }).toEqual({ code: 0, refused: [] });
  expect(stderr).toMatch(/^paced: \d+ s for \d+ requests, at most \d+ s for \d+ requests$/m);
});

test('says how long a pace makes a run without sending anything, and refuses one that is none', async () => {
  const args = ['--base-url', 'http://127.0.0.1:1/v1', '--plan', '--pace'];
  const keys = { CHAT_API_KEY: 'sk-0123456789' };
  const { code, stderr } = await callCommand([...args, '30/m'], keys);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^paced: \d+ min for \d+ requests, at most 10 min for 300 requests$/m);
  for (const wrong of ['0/s', '5', '5/h', '-1/s', '1.5/s'])
    expect((await callCommand([...args, wrong], keys)).stderr).toContain('It must be N/s or N/m');
});
