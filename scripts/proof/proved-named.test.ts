import { expect, test } from 'vitest';
import { EVERYTHING, type Proved, provedNamed } from './proved-named.ts';

const namesIn = ({ worlds, callers }: Proved) => [...worlds, ...callers].map(({ name }) => name);

test.each(['', ',', 'mock,', ' , mock'])('refuses words of which one is empty given "%s"', (text) => {
  expect(() => provedNamed(text)).toThrow('It must be a comma-separated list of names.');
});

test('refuses a name that nothing has, and names one that comes close', () => {
  expect(() => provedNamed('mock,tools-ignord')).toThrow(
    'nothing is called "tools-ignord": did you mean tools-ignored',
  );
});

test('takes what several words mean once', () => {
  expect(namesIn(provedNamed('tools-ignored,tools-ign'))).toEqual(['tools-ignored']);
  const defects = EVERYTHING.worlds.filter(({ kind }) => kind === 'defect');
  expect(provedNamed('tools-ignored, defect').worlds).toEqual(defects);
});

test('adds to what was named before, and takes none twice', () => {
  const before = provedNamed('tools-ignored');
  expect(namesIn(provedNamed('second-service,tools-ignored', before))).toEqual([
    'tools-ignored',
    'second-service',
  ]);
});
