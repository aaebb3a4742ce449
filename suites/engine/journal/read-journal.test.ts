import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sentRequest } from '../sending/sent-request.ts';
import { runOptions } from '../test-support/service.ts';
import { FileError } from '../text/read-json-file.ts';
import { runEntry, sentEntry } from './entries.ts';
import { JournalLines, readJournal } from './read-journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'read-journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FILE = join(folder, 'journal.ndjson');

const CHECK = { id: 'a-check', clauses: ['REQ-6'], title: 'refuses it' };
const RUN = {
  ...runEntry(runOptions('http://127.0.0.1:1/v1', []), new Date().toISOString()),
  checks: [CHECK],
};
const SENT = sentEntry('preflight/0', sentRequest({ method: 'GET', path: '/models' }));
const ENDED = { type: 'ended', id: 'preflight/0', outcome: { kind: 'not-sent', reason: 'no such host' } };
const TRIAL = {
  type: 'trial',
  id: 't/0',
  stimulus: 't',
  nth: 0,
  exchanges: ['t/0/0'],
  data: {},
  rulings: {},
};

const text = (...lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

function read(content: string) {
  writeFileSync(FILE, content);
  return readJournal(FILE);
}

test('returns an exchange of unknown outcome given a request without an end', () => {
  const { record, inFlight, finished } = read(text(RUN, SENT));
  expect(record).toEqual(inFlight);
  expect(inFlight).toMatchObject([{ id: 'preflight/0', outcome: { kind: 'uncertain' } }]);
  expect(finished).toBeUndefined();
});

test('leaves out a truncated last line, and says so', () => {
  const before = text(RUN, SENT);
  const last = text(ENDED);
  for (let length = 1; length < last.length - 1; length += 1) {
    expect(read(before + last.slice(0, length))).toMatchObject({ inFlight: [{}] });
    expect(new JournalLines(FILE).isTruncated).toBe(true);
  }
  // Only the line break is missing.
  expect(read(before + last.trimEnd())).toMatchObject({ inFlight: [] });
  expect(new JournalLines(FILE).isTruncated).toBe(false);
});

test('ignores fields that a later release adds to a line', () => {
  expect(read(text({ ...RUN, weather: 'fair' }, SENT, ENDED)).record).toHaveLength(1);
});

test.each([
  ['nothing', '', 'has no complete line'],
  ['text', 'Hello.\n', 'is not a journal: its first line is not JSON'],
  ['another format', text({ format: 'chat-conformance/report', version: 1 }), 'is not a journal'],
  ['a later one', text({ ...RUN, version: 2 }), 'is a journal of version 2: this release reads version 1'],
  ['a broken line', `${text(RUN)}{"type":\n${text(SENT)}`, ':2: is not JSON'],
  ['a line of an unknown type', text(RUN, { type: 'sung' }), ':2#/type: '],
  ['a wrong member', text(RUN, { ...SENT, at: 'now' }), ':2#/at: '],
  ['an unknown clause', text({ ...RUN, checks: [{ ...CHECK, clauses: ['REQ-99'] }] }), ':1#/checks/'],
  ['an ID that climbs', text({ ...RUN, checks: [{ ...CHECK, id: '../x' }] }), ':1#/checks/0/id: must be'],
  [
    'a header that is none',
    text({ ...RUN, target: { ...RUN.target, headers: ['y$(id)'] } }),
    ':1#/target/headers/0: must be',
  ],
  ['an end without a beginning', text(RUN, ENDED), 'preflight/0 ended but was never sent'],
  ['two runs', text(RUN, RUN), 'holds more than one run'],
  ['a trial of nothing that was sent', text(RUN, TRIAL), 'there is no exchange t/0/0'],
])('throws one line that names the place given %s', (_what, content, message) => {
  const reading = () => read(content);
  expect(reading).toThrow(FileError);
  expect(reading).toThrow(/^.+$/);
  for (const part of [FILE, message]) expect(reading).toThrow(part);
});

test('throws given a file that is not there, and what is no regular file before it reads it', () => {
  expect(() => readJournal(join(folder, 'none'))).toThrow('cannot read the journal');
  const pipe = join(folder, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  for (const file of [pipe, '/dev/zero', folder])
    expect(() => readJournal(file)).toThrow(
      `${file} is not a regular file: save its content in a file first`,
    );
});
