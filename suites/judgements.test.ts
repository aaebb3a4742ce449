import { expect, test } from 'vitest';
import { CHECKS } from './catalogue.ts';
import { surveyForTest } from './kit/for-test/survey-for-test.ts';

test.each(CHECKS)('$id: is not exercised given a trial that sent nothing', ({ holds }) => {
  expect(holds({ exchanges: [] }, surveyForTest()).kind).toBe('not-exercised');
});
