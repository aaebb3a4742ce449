import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, expect, test } from 'vitest';
import { baselineText } from './apply-baseline.ts';
import { readBaseline } from './read-baseline.ts';

const folder = mkdtempSync(join(tmpdir(), 'baseline-'));
const file = join(folder, 'baseline.json');
afterAll(() => rmSync(folder, { recursive: true }));

const CHECKS = [{ id: 'unknown-field-refused' }, { id: 'roles-served' }];
const ENTRY = { check: 'roles-served', reason: 'known since spring' };

function read(...known: readonly object[]): unknown {
  writeFileSync(file, JSON.stringify({ format: 'chat-conformance/baseline', version: 1, known }));
  return readBaseline(file, CHECKS);
}

test('returns the entries given a whole baseline', () => {
  const entry = { ...ENTRY, clause: 'MSG-1', failure: { code: 'refused', path: '/n' }, until: '2027-01-31' };
  expect(read(entry, ENTRY)).toEqual([entry, ENTRY]);
});

test('writes what its schema describes', () => {
  const schema: object = JSON.parse(readFileSync(new URL('baseline.schema.json', import.meta.url), 'utf8'));
  const validate = new Ajv2020({ strict: false, formats: { date: true } }).compile(schema);
  expect(validate(JSON.parse(baselineText([{ ...ENTRY, until: '2027-01-31' }])))).toBe(true);
  expect(validate({ format: 'chat-conformance/baseline', version: 1, known: [{ check: 'a' }] })).toBe(false);
});

test.each([
  [
    { ...ENTRY, check: 'role-served' },
    '/check: no check is called "role-served": did you mean roles-served?',
  ],
  [{ check: 'roles-served' }, '/reason: '],
  [{ ...ENTRY, reason: '  ' }, '/reason: '],
  [{ ...ENTRY, until: '2027-02-30' }, '/until: '],
  [{ ...ENTRY, untill: '2027-02-28' }, ': '],
  [{ ...ENTRY, failure: { path: '/n' } }, '/failure/code: '],
])('throws one line that names the place given %j', (entry, expected) => {
  expect(() => read(entry)).toThrow(`${file}#/known/0${expected}`);
  expect(() => read(entry)).not.toThrow('\n');
});
