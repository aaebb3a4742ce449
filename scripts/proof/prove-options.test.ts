import { expect, test } from 'vitest';
import { ALL_SUBJECTS, type ProofSubjects, subjectsNamed } from './prove-options.ts';

const namesIn = ({ worlds, callers }: ProofSubjects) => [...worlds, ...callers].map(({ name }) => name);

test.each(['', ',', 'mock,', ' , mock'])('refuses an empty word given "%s"', (text) => {
  expect(() => subjectsNamed(text)).toThrow('It must be a comma-separated list of names.');
});

test('refuses an unknown name, and suggests a similar one', () => {
  expect(() => subjectsNamed('mock,tools-ignord')).toThrow(
    'nothing is called "tools-ignord": did you mean tools-ignored',
  );
});

test('takes once what several words match', () => {
  expect(namesIn(subjectsNamed('tools-ignored,tools-ign'))).toEqual(['tools-ignored']);
  const defects = ALL_SUBJECTS.worlds.filter(({ kind }) => kind === 'defect');
  expect(subjectsNamed('tools-ignored, defect').worlds).toEqual(defects);
});

test('adds to what was named before, each once', () => {
  const before = subjectsNamed('tools-ignored');
  expect(namesIn(subjectsNamed('second-service,tools-ignored', before))).toEqual([
    'tools-ignored',
    'second-service',
  ]);
});
