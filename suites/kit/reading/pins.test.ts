import { expect, test } from 'vitest';
import type { Profile } from '../model/target.ts';
import { findPinnedFirst, pinnedText } from './pins.ts';

test('returns what is pinned when it is text', () => {
  const profile = { pins: { 'stream.text': '/q', 'response.fields': ['id'] } };
  expect(pinnedText(profile, 'stream.text')).toBe('/q');
  expect(pinnedText(profile, 'response.fields')).toBeUndefined();
  expect([pinnedText({}, 'stream.text'), pinnedText({ pins: {} }, 'stream.text')]).toEqual([
    undefined,
    undefined,
  ]);
});

test('looks again without the pin, and with all others, where nothing was found by it', () => {
  const asked: Profile[] = [];
  const find = (profile: Profile) => {
    asked.push(profile);
    return 'absent';
  };
  const profile = { name: 'ours', pins: { 'stream.text': '/q', 'stream.usage': '/u' } };
  expect(findPinnedFirst(profile, 'stream.text', find)).toBe('absent');
  expect(asked).toEqual([profile, { name: 'ours', pins: { 'stream.usage': '/u' } }]);
});

test('looks once where something was found by the pin', () => {
  let times = 0;
  const found = findPinnedFirst({ pins: { 'stream.text': '/q' } }, 'stream.text', () => ({
    times: (times += 1),
  }));
  expect([found, times]).toEqual([{ times: 1 }, 1]);
});
