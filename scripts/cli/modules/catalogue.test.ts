import { expect, test } from 'vitest';
import { askedFor } from '../../../suites/engine/model/run.ts';
import { CATALOGUE } from '../test-support/catalogue.ts';
import { selectChecks } from './catalogue.ts';

function selected(only: readonly string[], skip: readonly string[] = []): readonly string[] {
  return askedFor(selectChecks(CATALOGUE, { only, skip })).map(({ id }) => id);
}

test('returns everything given no filter', () => {
  expect(selected([])).toEqual(['unknown-field-refused', 'stream-well-formed', 'request-ids-unique']);
});

test.each([['unknown-field-refused'], ['REQ-6'], ['req-6'], ['chat-request']])(
  'returns one check given %s',
  (word) => {
    expect(selected([word])).toEqual(['unknown-field-refused']);
  },
);

test('returns what is left given names to skip', () => {
  expect(selected([], ['streaming', 'ERR-2'])).toEqual(['unknown-field-refused']);
});

test('returns every check beside it given an invariant alone, because their exchanges are what it judges', () => {
  const { checks, invariants } = selectChecks(CATALOGUE, {
    only: ['request-ids-unique'],
    skip: ['streaming'],
  });
  expect([...checks, ...invariants].map(({ id }) => id)).toEqual([
    'unknown-field-refused',
    'request-ids-unique',
  ]);
});

test('keeps every invariant that is not skipped, whatever is selected', () => {
  const kept = (skip: readonly string[]) => selectChecks(CATALOGUE, { only: ['streaming'], skip }).invariants;
  expect(kept([])).toEqual(CATALOGUE.invariants);
  expect(kept(['request-ids-unique'])).toEqual([]);
});

test('judges only the invariants given nothing but them', () => {
  expect(selectChecks(CATALOGUE, { only: ['request-ids-unique'] }).judges).toBe('invariants');
  expect(selectChecks(CATALOGUE, { only: ['request-ids-unique', 'REQ-6'] }).judges).toBeUndefined();
  expect(selectChecks(CATALOGUE, {}).judges).toBeUndefined();
});

test('keeps the checks that send the kinds of requests it is given', () => {
  const ids = (kind: string) =>
    selectChecks(CATALOGUE, { only: ['request-ids-unique'], send: [kind] }).checks.map(({ id }) => id);
  expect(ids('one-silent-request')).toEqual(['unknown-field-refused', 'stream-well-formed']);
  expect(() => ids('one-silent-requst')).toThrow(
    'no kind of requests is called "one-silent-requst": did you mean one-silent-request?',
  );
});

test.each([
  [
    ['unknown-feld-refused'],
    'no check, clause or section is called "unknown-feld-refused": did you mean unknown-field-refused?',
  ],
  [['CALL-1'], 'no check covers CALL-1: binds the caller'],
  [['VIS-1'], 'no check covers VIS-1'],
  [['vision'], 'no check covers vision'],
])('throws given %s', (only, message) => {
  expect(() => selected(only)).toThrow(message);
  expect(() => selected([], only)).toThrow(message);
});

test('throws given filters that leave nothing', () => {
  expect(() => selected(['REQ-6'], ['chat-request'])).toThrow('leave no check to run');
});
