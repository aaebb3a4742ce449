import { expect, test } from 'vitest';
import { CATALOGUE } from '../test-support/catalogue.ts';
import { entriesOf, explain } from './catalogue-commands.ts';

const ENTRIES = entriesOf(CATALOGUE);

test('returns what is sent and the clause given a check', () => {
  const text = explain('unknown-field-refused', ENTRIES);
  expect(text).toContain('one silent request (stage free)');
  expect(text).toMatch(/REQ-6 \(stated\): .+/);
});

test('returns what it judges given an invariant', () => {
  expect(explain('request-ids-unique', ENTRIES)).toContain('judges every exchange of a run');
});

test('returns what usually causes its failures, with the line that mends it, given a check or a clause', () => {
  for (const name of ['unknown-field-refused', 'REQ-6'])
    expect(explain(name, ENTRIES)).toContain(
      'usually  serde: unknown fields are ignored: #[serde(deny_unknown',
    );
});

test('returns its checks and its open points given a clause', () => {
  expect(explain('str-3', ENTRIES)).toContain('stream-well-formed: ends its streams');
  expect(explain('REQ-8', ENTRIES)).toContain('bounds.max_tokens.0');
  expect(explain('CALL-1', ENTRIES)).toMatch(/bound +caller/);
});

test('returns how to pin it given an open point', () => {
  expect(explain('error.code', ENTRIES)).toContain('"pins":{"error.code":…}');
});

test('throws with the nearest names given an unknown name', () => {
  expect(() => explain('REQ-66', ENTRIES)).toThrow('did you mean REQ-6');
});
