import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RARE_SPELLINGS } from '../../../suites/kit/test-support/spellings.ts';
import { callCommand } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const CHAT_API_KEY = 'sk-Kj4/Tz9+canary_Wm2.Hd8~Xq6=Bv3&Pn7';
const SPELT = Object.entries(RARE_SPELLINGS).map(([name, spell]) => [name, spell(CHAT_API_KEY)] as const);

/** A text as it may stand in a report: as it is, or in a JSON text, or in one inside another. */
function written(text: string): readonly string[] {
  const once = JSON.stringify(text).slice(1, -1);
  return [text, once, JSON.stringify(once).slice(1, -1)];
}

/** Both halves of each spelling, and its middle. */
const TELLING = SPELT.flatMap(([name, text]) => {
  const quarter = text.length >> 2;
  const parts = [text.slice(0, 2 * quarter), text.slice(quarter, 3 * quarter), text.slice(2 * quarter)];
  return parts.flatMap(written).map((part) => ({ name, part }));
});

const spelledIn = (text: string): readonly string[] =>
  TELLING.filter(({ part }) => text.includes(part)).map(({ name }) => name);

test('shows no key in any spelling that the docs list, on a terminal or in a file', async () => {
  const service = await startErringService(({ path }, response, nth) => {
    if (path.endsWith('/models')) return false;
    const [, finish_reason] = SPELT[nth % SPELT.length] ?? [];
    // Each comes first in some answer: reports show only the beginning of long ones.
    const turned = [...SPELT.slice(nth % SPELT.length), ...SPELT.slice(0, nth % SPELT.length)];
    const content = turned.map(([, text]) => text).join(' | ');
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason }];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices }));
    return true;
  });
  const report = join(temporaryFolder(), 'out');
  const args = ['--base-url', service.baseUrl, '--only', 'REQ-6,REQ-2', '--seed', '8', '--report', report];
  const { stdout, stderr, code } = await callCommand(args, { CHAT_API_KEY });
  expect(code).toBe(1);
  const files = readdirSync(report).map((name) => readFileSync(join(report, name), 'utf8'));
  expect(files.join().match(/key:primary/g)?.length).toBeGreaterThan(SPELT.length);
  expect([stdout, stderr, ...files].flatMap(spelledIn)).toEqual([]);
});
