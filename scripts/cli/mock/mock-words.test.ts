import { expect, test } from 'vitest';
import { FAULTS } from '../../../mock-server/faults/fault-catalogue.ts';
import { faultHelp } from './mock-words.ts';

test('names every fault with its fields and phases', () => {
  const help = faultHelp();
  for (const [name, { meaning, parameters, phases }] of Object.entries(FAULTS)) {
    const [section = ''] = new RegExp(`^${name}\\n(?: .*\\n)+`, 'm').exec(help) ?? [];
    expect(section).toContain(meaning);
    const words = section.split(/[\s,:]+/);
    expect(words).toEqual(expect.arrayContaining([...Object.keys(parameters), ...phases]));
  }
});
