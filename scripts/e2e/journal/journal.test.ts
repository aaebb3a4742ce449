import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { CHECKS, INVARIANTS } from '../../../suites/catalogue.ts';
import { readJournal } from '../../../suites/engine/journal/read-journal.ts';
import type { Target } from '../../../suites/engine/model/run.ts';
import { judgedThen, rejudge } from '../../../suites/engine/running/rejudge.ts';
import { summarise } from '../../../suites/engine/summary/summarise.ts';
import { startErringService } from '../support/erring-service.ts';
import { isJson } from '../support/is-json.ts';
import { journalledRun, shortRun, type JournalledRun } from '../support/journalled-run.ts';
import { layeredTarget } from '../support/layered-run.ts';

const KEY = 'sk-a-key-that-nobody-must-see-0123456789';

function live(baseUrl: string): Target {
  return { baseUrl, kind: 'live', keys: { primary: KEY }, profile: {}, headers: { 'x-team': 'se"cret-9' } };
}

/** A run that its caps end early. */
async function cappedRun(): Promise<JournalledRun> {
  const { baseUrl } = await startErringService();
  const caps = { requests: 60, completions: 20, outputTokens: 16 };
  return journalledRun(shortRun(live(baseUrl), { caps, runs: 'few' }));
}

/** A run against a service that violates a lot, breaks connections, and refuses for the rate. */
async function troubledRun(): Promise<JournalledRun> {
  const { baseUrl } = await startErringService((_arrival, response, nth) => {
    if (nth % 29 === 0) response.destroy();
    else if (nth % 31 === 0) response.writeHead(502).end(Buffer.from([0x3c, 0xff, 0xfe]));
    else if (nth % 17 === 0) response.writeHead(429, { 'retry-after': '0' }).end('{}');
    else return false;
    return true;
  });
  return journalledRun(shortRun(live(baseUrl), { concurrency: 1, runs: 'few' }));
}

const LISTED = JSON.stringify({ data: [{ id: 'any-1', context_length: 4096 }] });
const REFUSED = JSON.stringify({ error: { code: 'no', message: 'No.', request_id: 'r-1' } });

/** A run against a service that compresses its list where that is accepted, and corrupts or only labels other answers. */
async function codedRun(): Promise<JournalledRun> {
  const { baseUrl } = await startErringService(({ headers, path, body }, response) => {
    if (headers['accept-encoding'] === 'identity') return false;
    response.setHeader('content-type', 'application/json').setHeader('content-encoding', 'gzip');
    if (path.endsWith('/models')) response.end(gzipSync(LISTED));
    else if (body.includes('top_p')) response.writeHead(400).end(REFUSED);
    else response.end(gzipSync(LISTED).fill(0xff, 14));
    return true;
  });
  const run = await journalledRun(shortRun(live(baseUrl), { runs: 'few' }));
  const verdicts = new Map(run.summary.checks.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts.get('client-lists-models')).toBe('pass');
  expect(verdicts.get('client-reads-error-code')).toBe('warn');
  for (const id of ['client-completes', 'client-streams', 'declared-coding'])
    expect([id, verdicts.get(id)]).toEqual([id, 'fail']);
  expect([...verdicts].filter(([, verdict]) => verdict === 'error')).toEqual([]);
  return run;
}

async function mockRun(): Promise<JournalledRun> {
  const { layer, target } = await layeredTarget(() => undefined, { seed: 3, control: true });
  const control = { url: layer.mock.control ?? '' };
  return journalledRun(shortRun(target, { runs: 'few', control, allow: new Set(['costly', 'disruptive']) }));
}

/** What a run comes to as recorded, and judged again. */
const twice = ({ recording }: JournalledRun) =>
  [judgedThen(recording, INVARIANTS), rejudge(recording, CHECKS, INVARIANTS)].map((findings) =>
    summarise(findings),
  );

test.each([
  ['against the mock', mockRun],
  ['that its caps cut short', cappedRun],
  ['whose answers are compressed, rightly and wrongly', codedRun],
])('gives the summary of a run %s again, as recorded and rejudged', async (_which, run) => {
  const journalled = await run();
  expect(twice(journalled)).toEqual([journalled.summary, journalled.summary]);
});

/** The IDs of all lines of a type that are there to their end: a cut may fall on a brace that closes something inside. */
function idsIn(text: string, type: string): string[] {
  const lines = text.split('\n').filter((line) => line.startsWith(`{"type":"${type}"`) && isJson(line));
  return lines.map((line) => /"id":"([^"]+)"/.exec(line)?.[1] ?? '');
}

/** Where to break a journal off: all along it, and wherever the next brace after such a place closes something. */
function cutsOf(text: string): number[] {
  // Past the first line, which every journal has as soon as anything was sent.
  const begun = text.indexOf('\n') + 1;
  return Array.from({ length: 6 }, (_, i) => begun + Math.floor((text.length * (i + 1)) / 8)).flatMap(
    (at) => [at, text.indexOf('}', at) + 1],
  );
}

test('holds all of a run full of violations and uncertain outcomes but its secrets, and can be reported wherever it was killed', async () => {
  const run = await troubledRun();
  expect(twice(run)).toEqual([run.summary, run.summary]);
  const { file, recording } = run;
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain(KEY);
  expect(text).not.toContain('cret-9');
  expect(recording.run.target.headers).toEqual(['x-team']);
  const bodies = recording.record.flatMap(({ outcome }) =>
    outcome.kind === 'uncertain' && outcome.answer !== undefined ? [[...outcome.answer.body]] : [],
  );
  expect(bodies).toContainEqual([0x3c, 0xff, 0xfe]);
  for (const at of cutsOf(text)) {
    const cut = text.slice(0, at);
    writeFileSync(file, cut);
    const killed = readJournal(file);
    const summary = summarise(judgedThen(killed, INVARIANTS));
    const sent = idsIn(cut, 'sent');
    const ended = new Set(idsIn(cut, 'ended'));
    const inFlight = killed.inFlight.map(({ id }) => id);
    expect(inFlight).toEqual(sent.filter((id) => !ended.has(id)));
    expect(summary.outcome).not.toBe('conformant');
    expect(summary.uncertain.map(({ id }) => id)).toEqual(expect.arrayContaining(inFlight));
    expect(summary.spent.requests).toBe(sent.length);
  }
});

test('reports a check as not exercised given a journal without its stimulus', async () => {
  const { baseUrl } = await startErringService();
  const checks = CHECKS.filter(({ clauses }) => clauses.includes('REQ-6'));
  const { recording } = await journalledRun(shortRun(live(baseUrl), { checks }));
  const { checks: results } = summarise(rejudge(recording, CHECKS, INVARIANTS));
  expect(results.find(({ id }) => id === 'unheard-of-field-refused')?.verdict).toBe('fail');
  expect(results.find(({ id }) => id === 'models-can-be-listed')).toMatchObject({
    verdict: 'not-exercised',
    reason: expect.stringContaining('the journal has no trial of'),
  });
});
