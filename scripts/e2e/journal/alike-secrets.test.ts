import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { readJournal } from '../../../suites/kit/journal/read-journal.ts';
import type { Entry } from '../../../suites/kit/model/journal.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { recordedFindings } from '../../../suites/kit/recorded/recorded-findings.ts';
import { rejudge } from '../../../suites/kit/recorded/rejudge.ts';
import { summarise } from '../../../suites/kit/summary/summarise.ts';
import { callCommand } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { journalledRun, shortRun, temporaryFolder } from '../support/journalled-run.ts';

const KEY = { CHAT_API_KEY: 'localhost-team-7f3a9c21' };

test('runs, and sends again what failed, with a key like the base URL and a secret like the name of its header', async () => {
  const secret = join(temporaryFolder(), 'secret.txt');
  writeFileSync(secret, 'my-gateway-secret-5');
  const header = ['--header', `x-gateway-secret:@${secret}`];
  const service = await startErringService();
  const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
  const report = join(temporaryFolder(), 'out');
  const only = ['--only', 'unheard-of-field-refused', '--seed', '8', '--quiet'];
  const run = await callCommand(['--base-url', baseUrl, ...only, ...header, '--report', report], KEY);
  expect([run.code, run.stderr]).toEqual([1, expect.not.stringContaining('error')]);
  const { target } = readJournal(join(report, 'journal.ndjson')).run;
  expect(target).toMatchObject({ baseUrl, headers: ['x-gateway-secret'] });
  expect(JSON.parse(readFileSync(join(report, 'report.json'), 'utf8')).target.baseUrl).toBe(baseUrl);
  const same = ['--base-url', baseUrl, ...header, '--report', report];
  const again = await callCommand([...same, '--last-failed', '--quiet'], KEY);
  expect([again.code, again.stdout.trimEnd().split('\n').at(-1)]).toEqual([
    1,
    // Of what is sent again, an invariant says more.
    expect.stringMatching(/^Still fails: unheard-of-field-refused\b/),
  ]);
  expect(service.arrivals.every(({ headers }) => headers['x-gateway-secret'] === 'my-gateway-secret-5')).toBe(
    true,
  );
  const written = run.stdout + again.stdout + readFileSync(join(report, 'journal.ndjson'), 'utf8');
  expect(written).not.toContain(KEY.CHAT_API_KEY);
  expect(written).not.toContain('my-gateway-secret-5');
});

const checks = CHECKS.filter(({ clauses: [first = ''] }) =>
  ['AUTH-2', 'AUTH-4', 'ERR-2', 'STR-3'].includes(first),
);

/** Quotes the key in the header and the text of every error, with the words of ours that a key may be made of. */
async function quotingRun(key: string) {
  const { baseUrl } = await startErringService(({ path, headers: { authorization = '' } }, response) => {
    if (path.endsWith('/models')) return false;
    const error = { code: 'refused', message: `Not with ${authorization}.`, request_id: 'request-id-1' };
    const body = JSON.stringify({ error, usage: { completion_tokens: 1 }, object: 'chat.completion.chunk' });
    response.writeHead(403, { 'content-type': 'application/json', 'x-quoted': authorization }).end(body);
    return true;
  });
  const keys = { primary: `${key}-1`, second: `2-${key}`, unscoped: key };
  const target = { baseUrl, kind: 'live', keys, profile: {}, headers: {} } as const;
  return journalledRun(shortRun(target, { checks, runs: 'fewest', concurrency: 1 }));
}

/** Shorter ones occur in texts by chance, and stay. */
const SHORTEST_KEY = 8;

const verdictsOf = ({ checks: all }: Summary) => all.map(({ id, verdict }) => `${id}: ${verdict}`);
const idsOf = (entry: Entry) => ('id' in entry ? [entry.type, entry.id] : [entry.type]);

function entriesOf(file: string): readonly Entry[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line): Entry => JSON.parse(line));
}

/** Words of the journal, the catalogue and the reports. */
const OURS = [
  ...CHECKS.flatMap(({ id, given, clauses: [clause = ''] }) => [id, given.name, clause]),
  'exchanges',
  'credential',
  'chargeable',
  'idempotency-key',
  'x-request-id',
  'completion_tokens',
  'unscoped',
  'not-exercised',
  'inconclusive',
  'conformant',
  'chat-completion',
  'authentication',
];

test('reads and judges the journal of any key that is made of words of ours, which quotes no key', async () => {
  const plain = await quotingRun('sk-Kj4Tz9Wm2Hd8Xq6');
  const key = fc
    .tuple(fc.array(fc.constantFrom(...OURS), { minLength: 1, maxLength: 3 }), fc.constantFrom('', '-x9'))
    .map(([words, end]) => `${words.join('-')}${end}`)
    .filter(({ length }) => length >= SHORTEST_KEY);
  const holds = async (made: string): Promise<void> => {
    const { file, summary, recording } = await quotingRun(made);
    expect(entriesOf(file).map(idsOf)).toEqual(entriesOf(plain.file).map(idsOf));
    expect(verdictsOf(summary)).toEqual(verdictsOf(plain.summary));
    expect(summarise(recordedFindings(recording, INVARIANTS))).toEqual(summary);
    expect(verdictsOf(summarise(rejudge(recording, checks, INVARIANTS)))).toEqual(verdictsOf(summary));
    const answers = entriesOf(file).filter(({ type }) => type === 'ended' || type === 'survey');
    expect(JSON.stringify(answers.map(({ ...all }) => ({ ...all, id: '' })))).not.toContain(made);
  };
  const examples = [
    'sk-unscoped-aaaabbbbccccdddd',
    'chat-completion-dev-key',
    'request-id-test',
    'unscoped-key',
  ];
  await fc.assert(fc.asyncProperty(key, holds), { numRuns: 20, examples: examples.map((each) => [each]) });
}, 120_000);
