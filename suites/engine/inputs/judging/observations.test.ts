import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../../test-support/exchange.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { observationsOf, observeRefusal } from './observations.ts';

const PINNED = { pins: { 'response.usage': '/usage' } };

test.each([
  ['what was found', '/spent', PINNED, [{ point: 'response.usage', value: '/spent' }]],
  ['what was found without a pin', '/spent', {}, [{ point: 'response.usage', value: '/spent' }]],
  ['null where a pin no longer holds', undefined, PINNED, [{ point: 'response.usage', value: null }]],
  ['nothing where there is no pin', undefined, { pins: { 'stream.usage': '/usage' } }, []],
])('observes %s', (_, found, profile, observations) => {
  expect(observationsOf({ 'response.usage': found }, profile)).toEqual(observations);
});

const ruling = (answer: AnswerForTest) => observeRefusal('token_limit', answered(answer), infoForTest());

test('observes status and code of a refusal under the names of its condition', () => {
  expect(ruling({ status: 413, body: { error: { code: 'too_long', message: 'No.' } } })).toEqual({
    kind: 'observed',
    observations: [
      { point: 'error.status.token_limit', value: 413 },
      { point: 'error.code.token_limit', value: 'too_long' },
    ],
  });
});

test.each(['<html>', '{"error":{"message":"No."}}'])(
  'observes the status alone given a refusal without a code: %s',
  (body) => {
    expect(ruling({ status: 400, body })).toEqual({
      kind: 'observed',
      observations: [{ point: 'error.status.token_limit', value: 400 }],
    });
  },
);

test.each([
  [{ body: { choices: [] } }, 'the request was not refused: status 200'],
  [{ status: 500 }, 'the service failed instead of refusing: status 500'],
  [
    { status: 503, body: { error: { code: 'busy', message: 'Later.' } } },
    'the service is unavailable, so no token limit error was shown: status 503, code "busy"',
  ],
])('is not exercised given anything but a refusal, and says what it was: %j', (answer, reason) => {
  expect(ruling(answer)).toEqual({ kind: 'not-exercised', reason });
});
