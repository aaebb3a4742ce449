import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../../mock-server/start-mock.ts';
import { readJournal } from '../../../suites/kit/journal/read-journal.ts';
import { callCommand, runCommand, type CommandResult } from '../support/command.ts';
import { type ServedRequest, type ErringService, startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const KEY = { CHAT_API_KEY: 'sk-a-key-of-a-test-0123' };

/** A run of some checks against a service that serves everything. */
async function failedRun(only: string, header: readonly string[] = []) {
  const service = await startErringService();
  const report = join(temporaryFolder(), 'out');
  const args = ['--base-url', service.baseUrl, '--only', only, '--seed', '8', '--quiet', '--report', report];
  const { code } = await callCommand([...args, ...header], KEY);
  expect(code).toBe(1);
  return { service, report };
}

type Answer = (arrival: ServedRequest, response: ServerResponse) => boolean;

function replayAt({ baseUrl }: ErringService, report: string, check: string): Promise<CommandResult> {
  return callCommand(['replay', report, check, '--base-url', baseUrl], KEY);
}

const lastLine = (text: string): string | undefined => text.trimEnd().split('\n').at(-1);

/** Answers chats with a sixth field. */
function toUnheardOf(answer: (response: ServerResponse) => void): Answer {
  return ({ body }, response) => {
    if (!body.includes('unheard_of')) return false;
    answer(response);
    return true;
  };
}

const ERROR = JSON.stringify({ error: { code: 'unknown_field', message: 'No.', request_id: 'r-1' } });

test.each<[string, number, Answer]>([
  ['still fails', 1, () => false],
  ['fixed', 0, toUnheardOf((response) => void response.writeHead(400).end(ERROR))],
  ['unknown', 3, toUnheardOf((response) => void response.destroy())],
])('prints "%s" and exits %i given such a service', async (word, code, answer) => {
  const { service, report } = await failedRun('unheard-of-field-refused');
  const { record } = readJournal(join(report, 'journal.ndjson'));
  const later = await startErringService(answer);
  const result = await replayAt(later, report, 'unheard-of-field-refused');
  expect({ code: result.code, word: lastLine(result.stdout) }).toEqual({ code, word });
  // The counterpart and the failure, byte for byte, with fresh keys.
  const [counterpart, failure] = later.arrivals;
  const [shown]: { evidence: { exchange: { id: string } }[] }[] = JSON.parse(
    readFileSync(join(report, 'report.json'), 'utf8'),
  ).checks;
  const then = record.find(({ id }) => id === shown?.evidence[0]?.exchange.id);
  expect(failure?.body).toEqual(Buffer.from(then?.request.body ?? []));
  expect(service.arrivals.map(({ body }) => body)).toContainEqual(counterpart?.body);
  const keys = [...service.arrivals, ...later.arrivals].flatMap(
    ({ headers }) => headers['idempotency-key'] ?? [],
  );
  expect(new Set(keys).size).toBe(keys.length);
  expect(later.arrivals).toHaveLength(2);
  expect(result.stdout + result.stderr).not.toContain(KEY.CHAT_API_KEY);
});

test('prints "fails differently" given another violation', async () => {
  const { report } = await failedRun('finish-reason-returned,unheard-of-field-refused');
  const file = join(report, 'journal.ndjson');
  // As if the service had failed in some other way then.
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"code":"accepted"', '"code":"another"'));
  const later = await startErringService();
  const { code, stdout } = await replayAt(later, report, 'unheard-of-field-refused');
  expect([code, lastLine(stdout)]).toEqual([1, 'fails differently']);
});

test('changes the key again from the input, since no record holds it', async () => {
  const half = `Bearer ${KEY.CHAT_API_KEY.slice(0, 12)}`;
  const forged: (string | undefined)[] = [];
  // Accepts any key with the right beginning.
  const service = await startErringService(({ headers, path }, response) => {
    const isServed = headers.authorization?.startsWith(half) === true;
    if (isServed && headers.authorization !== `Bearer ${KEY.CHAT_API_KEY}`)
      forged.push(headers.authorization);
    if (!isServed) response.writeHead(401).end(ERROR);
    return !isServed && path !== '';
  });
  const report = join(temporaryFolder(), 'out');
  const args = ['--base-url', service.baseUrl, '--only', 'AUTH-1', '--seed', '8', '--quiet'];
  expect((await callCommand([...args, '--report', report], KEY)).code).toBe(1);
  const before = new Set(forged.splice(0));
  const { code, stdout } = await callCommand(
    ['replay', join(report, 'report.json'), 'wrong-key-refused'],
    KEY,
  );
  expect([code, lastLine(stdout)]).toEqual([1, 'still fails']);
  expect(forged).toHaveLength(1);
  expect(before).toContain(forged[0]);
  expect(readFileSync(join(report, 'journal.ndjson'), 'utf8')).not.toContain(half);
});

test('replays the answer in which an invariant found a violation', async () => {
  const { service, report } = await failedRun('error-object,REQ-6');
  const failing = readJournal(join(report, 'journal.ndjson')).invariants.filter(({ rulings }) =>
    rulings.some(([, ruling]) => ruling.kind === 'violated'),
  );
  for (const { id } of failing) {
    const { code, stdout } = await replayAt(service, report, id);
    expect([id, code, lastLine(stdout)]).toEqual([id, 1, 'still fails']);
  }
});

test('keeps a journal of its own, which can be reported', async () => {
  const { service, report } = await failedRun('unheard-of-field-refused');
  await replayAt(service, report, 'unheard-of-field-refused');
  const name = readdirSync(report).find((each) => each.startsWith('replay-')) ?? '';
  const { code, stdout } = await callCommand(['report', join(report, name)]);
  expect(code).toBe(1);
  expect(stdout).toContain('unheard-of-field-refused');
});

test('starts the mock again with the same seed given a run against it', async () => {
  const folder = temporaryFolder();
  const profile = join(folder, 'profile.json');
  const pins = { 'error.code': '/nowhere' };
  writeFileSync(profile, JSON.stringify({ format: 'chat-conformance/profile', version: 1, pins }));
  const report = join(folder, 'out');
  const args = ['--only', 'error-places', '--profile', profile, '--seed', '4', '--quiet', '--report', report];
  expect((await callCommand(args)).code).toBe(1);
  const { code, stdout } = await runCommand(['replay', report, 'error-places']);
  expect([code, lastLine(stdout)]).toEqual([1, 'still fails']);
});

test('arms the same faults and reads the workspace given a trial with a control URL', async () => {
  const mock = await startMock({ seed: 5, control: true });
  onTestFinished(() => mock.close());
  const report = join(temporaryFolder(), 'out');
  const environment = { CHAT_API_KEY: mock.keys['primary'] ?? '' };
  const control = ['--base-url', mock.url, '--control-url', mock.control ?? ''];
  await callCommand([...control, '--only', 'ERR-8', '--quiet', '--report', report], environment);
  const file = join(report, 'journal.ndjson');
  // As if the service had failed then: it passes now.
  const finding = '{"kind":"violated","finding":{"code":"x","expected":"a","actual":"b"}}';
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\{"kind":"holds"\}/, finding));
  const [check = ''] = readJournal(file)
    .trials.flatMap(({ entry }) => Object.entries(entry.rulings))
    .flatMap(([id, { kind }]) => (kind === 'violated' ? [id] : []));
  const { code, stdout } = await callCommand(['replay', report, check], environment);
  expect([code, lastLine(stdout)]).toEqual([0, 'fixed']);
});

test.each([
  [
    'a check that did not fail',
    ['chat-served'],
    'did not fail in that run; to check it again: chat-conformance',
  ],
  ['an unknown check', ['unheard-of-field-refusd'], 'did you mean unheard-of-field-refused'],
  ['a header that is missing', ['unheard-of-field-refused'], "pass it with --header 'x-team:…'"],
])('exits 2 with one line and sends nothing given %s', async (_what, args, line) => {
  const { service, report } = await failedRun('unheard-of-field-refused', ['--header', 'x-team: blue']);
  const before = service.arrivals.length;
  const { code, stdout, stderr } = await callCommand(['replay', report, ...args], KEY);
  expect(stderr).toMatch(/^error: .+\n$/);
  expect(stderr).toContain(line);
  expect({ code, stdout, sent: service.arrivals.length - before }).toEqual({ code: 2, stdout: '', sent: 0 });
});
