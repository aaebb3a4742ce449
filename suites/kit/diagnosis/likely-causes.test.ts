import { expect, test } from 'vitest';
import { likelyCauses } from './likely-causes.ts';
import { bugsIn, type SignatureFile } from './signature.ts';
import type { Symptom } from './symptoms.ts';

/** Four bugs of a small service, as their runs showed them. */
const FILE: SignatureFile = {
  format: 'chat-conformance/signatures',
  version: 2,
  seeds: [1],
  inputs: ['/tools', '/n', '/x', 'no key', 'half a key', '/y'],
  kinds: ['accepted', 'no-code'],
  answers: ['2xx completion', '2xx stream'],
  bugs: {
    'fields-stripped': {
      clauses: ['REQ-6'],
      story: 'Unknown fields are stripped',
      signs: [
        'fields-refused 6/6; fails 1-2,5; kinds 0; answers 0-1; shapes aaaa',
        'tools-refused 3/3; fails 0; kinds 0; answers 0; shapes aaaa',
      ],
    },
    'n-known': {
      clauses: ['REQ-6'],
      story: 'The field n is read',
      signs: ['fields-refused 1/3; fails 1; holds 2,5; kinds 0; answers 0; shapes aaaa'],
    },
    'x-known': {
      clauses: ['REQ-6'],
      story: 'The field x is read',
      signs: ['fields-refused 1/3; fails 2; holds 1,5; kinds 0; answers 0; shapes aaaa'],
    },
    'no-key-needed': {
      clauses: ['AUTH-1'],
      story: 'No key is asked for',
      signs: ['key-required 2/2; fails 3-4; kinds 0; answers 0; shapes aaaa'],
    },
    'any-key-known': {
      clauses: ['AUTH-1'],
      story: 'Any key is taken',
      signs: ['key-required 2/2; fails 3-4; kinds 0; answers 0; shapes aaaa'],
    },
  },
};

const ACCEPTED = { kind: 'accepted', answer: '2xx completion', shape: 'aaaa' };

function symptoms(failing: readonly string[], holding: readonly string[]): readonly Symptom[] {
  const of = (text: string) => {
    const [check = '', input = ''] = text.split(': ');
    return { check, input };
  };
  return [...failing.map((text) => ({ ...of(text), failed: ACCEPTED })), ...holding.map(of)];
}

function causes(failing: readonly string[], holding: readonly string[] = []) {
  return likelyCauses(symptoms(failing, holding), bugsIn(FILE), () => false).map(
    ({ isLikely, bugs, checks }) => ({
      isLikely,
      bugs: bugs.map(({ name }) => name),
      checks,
    }),
  );
}

test('names the bug that explains all failures, and folds them under it', () => {
  expect(
    causes(['fields-refused: /n', 'fields-refused: /x', 'fields-refused: /y', 'tools-refused: /tools']),
  ).toEqual([{ isLikely: true, bugs: ['fields-stripped'], checks: ['fields-refused', 'tools-refused'] }]);
});

test('names the narrower bug where the wider one is contradicted by what held', () => {
  expect(
    causes(['fields-refused: /n'], ['fields-refused: /x', 'fields-refused: /y', 'tools-refused: /tools']),
  ).toEqual([{ isLikely: true, bugs: ['n-known'], checks: ['fields-refused'] }]);
});

test('names all bugs that explain the same, and calls none of them likely', () => {
  expect(causes(['key-required: no key', 'key-required: half a key'])).toEqual([
    { isLikely: false, bugs: ['any-key-known', 'no-key-needed'], checks: ['key-required'] },
  ]);
});

test('names a bug for each part of the failures, the widest first', () => {
  const found = causes([
    'key-required: no key',
    'key-required: half a key',
    'fields-refused: /n',
    'fields-refused: /x',
    'tools-refused: /tools',
  ]);
  expect(found.map(({ bugs }) => bugs)).toEqual([['fields-stripped'], ['any-key-known', 'no-key-needed']]);
});

test('names two bugs that make one check fail, each on inputs of its own', () => {
  const found = causes(
    ['fields-refused: /n', 'fields-refused: /x'],
    ['fields-refused: /y', 'tools-refused: /tools'],
  );
  expect(found.map(({ bugs }) => bugs)).toEqual([['n-known', 'x-known']]);
});

test('names nothing for a failure that no known bug explains', () => {
  expect(causes(['streams-end: a stream'])).toEqual([]);
});

test('says the same whatever the order of the symptoms', () => {
  const failing = [
    'fields-refused: /n',
    'key-required: no key',
    'tools-refused: /tools',
    'fields-refused: /x',
  ];
  expect(causes(failing.toReversed()).map(({ bugs }) => bugs)).toEqual(
    causes(failing).map(({ bugs }) => bugs),
  );
});

/** Two bugs that make one check fail. */
function causesOfTwo(signs: { readonly one: string; readonly other: string }, failing: readonly string[]) {
  const bug = (sign: string) => ({
    clauses: [],
    story: '',
    signs: [`fields-refused ${sign}; kinds 0; answers 0; shapes aaaa`],
  });
  const file: SignatureFile = {
    ...FILE,
    inputs: ['/n 1', '/n 2', '/n 3', '/x 1', '/x 2', '/x 3', '/y 1', '/y 2'],
    bugs: { one: bug(signs.one), other: bug(signs.other) },
  };
  const found = symptoms(
    failing.map((input) => `fields-refused: ${input}`),
    [],
  );
  return likelyCauses(found, bugsIn(file), () => false).map(({ bugs, checks }) => ({
    bugs: bugs.map(({ name }) => name),
    checks,
  }));
}

test('names each of two bugs first that both are needed for the failures of one check', () => {
  const signs = { one: '3/8; fails 0-2; holds 3-7', other: '3/8; fails 3-5; holds 0-2,6-7' };
  expect(causesOfTwo(signs, ['/n 1', '/n 2', '/n 3', '/x 1', '/x 2', '/x 3'])).toEqual([
    { bugs: ['other'], checks: ['fields-refused'] },
    { bugs: ['one'], checks: ['fields-refused'] },
  ]);
});

test('expects of a new input what others did that are wrong in the same place', () => {
  const signs = { one: '4/8; fails 3-6; holds 0,1,2,7', other: '1/8; fails 0; holds 3-7' };
  expect(causesOfTwo(signs, ['/n 4'])).toEqual([{ bugs: ['other', 'one'], checks: ['fields-refused'] }]);
});
