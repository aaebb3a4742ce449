import { expect, test } from 'vitest';
import { type ChangedFile, DataFiles } from './data-files.ts';

const old = (path: string): readonly ChangedFile[] => [{ path, wasThere: true }];
const fresh = (path: string): readonly ChangedFile[] => [{ path, wasThere: false }];

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

test('leaves out what is new in a folder, given new names in each round, and nothing that was there', () => {
  const files = new DataFiles([]);
  for (const round of [0, 1]) expect(files.sift(fresh(`log/${round}/a.png`), round).begin).toHaveLength(1);
  const third = [...fresh('log/2/a.png'), ...fresh('log/2/b.png')];
  expect(files.sift(third, 2)).toEqual({ begin: [], leftOut: ['log/'] });
  // Such a file is removed again.
  expect(files.sift(fresh('log/0/a.png'), 3).begin).toEqual([]);
  const others = [...old('log/old.json'), ...fresh('elsewhere.json')];
  expect(files.sift(others, 3).begin).toEqual(['log/old.json', 'elsewhere.json']);
});

test('names the file, and not its folder, given a new file that changes in each round', () => {
  const files = new DataFiles([]);
  for (const round of [0, 1]) files.sift(fresh('data/main.db'), round);
  expect(files.sift(fresh('data/main.db'), 2).leftOut).toEqual(['data/main.db']);
  expect(files.sift(fresh('data/other.json'), 3).begin).toEqual(['data/other.json']);
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
