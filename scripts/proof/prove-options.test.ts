import { expect, test } from 'vitest';
import { worldsNamed } from './prove-options.ts';
import { WORLDS } from './worlds.ts';

test.each(['', ',', 'mock,', ' , mock'])('refuses an empty word given "%s"', (text) => {
  expect(() => worldsNamed(text)).toThrow('It must be a comma-separated list of names.');
});

test('refuses an unknown name, and suggests a similar one', () => {
  expect(() => worldsNamed('mock,tools-ignord')).toThrow(
    'nothing is called "tools-ignord": did you mean tools-ignored',
  );
});

test('takes once what several words match', () => {
  expect(worldsNamed('tools-ignored,tools-ign').map(({ name }) => name)).toEqual(['tools-ignored']);
  expect(worldsNamed('tools-ignored, defect')).toEqual(WORLDS.filter(({ kind }) => kind === 'defect'));
});

test('adds to what was named before, each once', () => {
  const names = worldsNamed('no-key-is-403,tools-ignored', worldsNamed('tools-ignored')).map(
    ({ name }) => name,
  );
  expect(names).toEqual(['tools-ignored', 'no-key-is-403']);
});
