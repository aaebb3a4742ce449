import { expect, test } from 'vitest';
import { driftsOf } from './drifts.ts';

const trial = { exchanges: [] };
const PINS = { 'stream.framing': 'chunks', 'response.fields': ['choices'] };

test('returns every observation that is not as it is pinned', () => {
  const sightings = [
    { point: 'stream.framing', value: 'whole', trial },
    { point: 'stream.framing', value: 'chunks', trial },
    { point: 'response.fields', value: ['choices'], trial },
    { point: 'response.fields', value: ['choices', 'id'], trial },
    { point: 'stream.newline', value: 'crlf', trial },
  ];
  expect(driftsOf(sightings, { pins: PINS })).toMatchObject([
    { point: 'stream.framing', pinned: 'chunks', finding: { code: 'drift', path: 'stream.framing' } },
    { point: 'response.fields', finding: { expected: '["choices"], as the profile pins it' } },
  ]);
});

test('returns none given a profile that pins nothing', () => {
  expect(driftsOf([{ point: 'stream.framing', value: 'whole', trial }], {})).toEqual([]);
});
