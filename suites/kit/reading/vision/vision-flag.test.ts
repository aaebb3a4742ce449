import { expect, test } from 'vitest';
import { visionOf } from './vision-flag.ts';

test.each([
  [{ vision: true }, true],
  [{ supportsVision: false }, false],
  [{ capabilities: { vision: true } }, true],
  [{ capabilities: ['chat', 'vision'] }, true],
  [{ capabilities: ['chat'] }, undefined],
  [{ image_input: { enabled: false } }, false],
  [{ architecture: { input_modalities: ['text', 'image'] } }, true],
  [{ architecture: { modality: 'text->text+image' } }, false],
  [{ modalities: ['text', 'image'] }, true],
  [{ vision: { enabled: true } }, true],
  [{ architecture: { modality: 'text+image->text' } }, true],
  [{ modality: 'text image' }, true],
  [{ modalities: ['image', 7] }, undefined],
  [{ modalities: 7 }, undefined],
  [{ modalities: { image: 'yes' } }, undefined],
  [{ id: 'a-vision', owned_by: 'x', enabled: true }, undefined],
  [{}, undefined],
])('reads %j as %s', (record, vision) => {
  expect(visionOf(record, 'models')).toBe(vision);
});

test('takes a bare flag for one of vision in the answer of the vision endpoint only', () => {
  expect(visionOf({ id: 'a', enabled: true }, 'vision')).toBe(true);
  expect(visionOf({ id: 'a', capabilities: ['chat'] }, 'vision')).toBe(false);
});
