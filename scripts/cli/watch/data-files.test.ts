import { expect, test } from 'vitest';
import { type ChangedFile, DataFiles } from './data-files.ts';

const old = (path: string): readonly ChangedFile[] => [{ path, isPassing: false }];
const fresh = (path: string): readonly ChangedFile[] => [{ path, isPassing: true }];

test('lets a file of data begin two rounds, and leaves it out of the third, given changes in each', () => {
  const files = new DataFiles([]);
  for (const round of [0, 1]) {
    expect(files.sift(old('data.db'), round)).toEqual({ begin: ['data.db'], leftOut: [] });
    // The next round was asked for already.
    expect(files.sift(old('data.db'), round)).toEqual({ begin: [], leftOut: [] });
    expect(files.sift(old('app.ts'), round).begin).toEqual(['app.ts']);
  }
  expect(files.sift([...old('data.db'), ...old('rates.json')], 2)).toEqual({
    begin: ['rates.json'],
    leftOut: ['data.db'],
  });
  expect(files.sift(old('data.db'), 9)).toEqual({ begin: [], leftOut: [] });
  expect([...files.leftOut]).toEqual(['data.db']);
});

test('leaves out what is new, given new names in each round, and no source or file that was there', () => {
  const files = new DataFiles([]);
  for (const round of [0, 1]) expect(files.sift(fresh(`log/${round}.png`), round).begin).toHaveLength(1);
  const leftOut = ['new and removed data files'];
  expect(files.sift([...fresh('log/2.png'), ...fresh('a.png')], 2)).toEqual({ begin: [], leftOut });
  const others = [...old('log/old.json'), ...fresh('log/app.ts')];
  expect(files.sift([...fresh('log/3.png'), ...others], 3).begin).toEqual(['log/app.ts', 'log/old.json']);
});

const SOURCES = 'bug.mjs src/App.JAVA schema.sql package.json tsconfig.base.json .env.local Dockerfile'.split(
  ' ',
);
const EACH = [0, 1, 2, 3, 4];

test.each<[string, string, readonly number[]]>([
  ['a file that did not change in one of the rounds', 'rates.json', [0, 1, 3, 4, 6]],
  ['a file that the command names', 'named.json', EACH],
  ...SOURCES.map((path): [string, string, readonly number[]] => ['a source', path, EACH]),
])('keeps %s: %s', (_what, path, rounds) => {
  const files = new DataFiles(['named.json']);
  for (const round of rounds) expect(files.sift(old(path), round).begin).toEqual([path]);
});
