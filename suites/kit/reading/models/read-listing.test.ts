import { expect, test } from 'vitest';
import { answerOf } from '../answer-of.ts';
import { answeredGet } from '../../test-support/exchange.ts';
import { surveyForTest } from '../../test-support/survey.ts';
import { readListing, withModelIdAt } from './read-listing.ts';
import type { Survey } from '../../model/target-info.ts';

function ids(survey: Partial<Survey>): string[] | string {
  const data = [
    { id: 'm_1', vogel: 'a' },
    { id: 'm_2', vogel: 'b' },
  ];
  const reading = readListing(answerOf(answeredGet('/models', { body: { data } })), surveyForTest(survey));
  return reading.kind === 'models' ? reading.models.map(({ id }) => id) : reading.kind;
}

const PINNED = { pins: { 'models.id': '/vogel' } };

test('reads the IDs where the run found those that are served, whatever the profile pins', () => {
  expect(ids({ modelIdAt: '/vogel' })).toEqual(['a', 'b']);
  expect(ids({ modelIdAt: '/id', profile: PINNED })).toEqual(['m_1', 'm_2']);
});

test('reads the IDs as the profile says given a run that found no other place', () => {
  expect(ids({})).toEqual(['m_1', 'm_2']);
  expect(ids({ profile: PINNED })).toEqual(['a', 'b']);
});

test('leaves what else a profile says as it is', () => {
  const profile = { name: 'ours', pins: { 'models.list': '/data', 'models.id': '/id' } };
  expect(withModelIdAt(profile, '/vogel')).toEqual({
    name: 'ours',
    pins: { 'models.list': '/data', 'models.id': '/vogel' },
  });
  expect(withModelIdAt({}, '/vogel')).toEqual(PINNED);
});
