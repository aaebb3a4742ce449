import { expect, test } from 'vitest';
import { isImagePart, isTextPart } from './image-part.ts';

test.each([
  { type: 'image_url', image_url: {} },
  { type: 'input_image' },
  { type: 'Image' },
  { image_url: 'x' },
  { image: 'x' },
  { input_image: 'x' },
  { inline_data: {} },
  { inlineData: {} },
  { source: {} },
])('takes %j for an image, and not for text', (part) => {
  expect([isImagePart(part), isTextPart(part)]).toEqual([true, false]);
  expect(isTextPart({ ...part, text: 'x' })).toBe(false);
});

test.each([{ type: 'text', text: 'x' }, { type: 'text', text: '', image: 'x' }, { text: 'x' }])(
  'takes %j for text, and not for an image',
  (part) => {
    expect([isImagePart(part), isTextPart(part)]).toEqual([false, true]);
  },
);

test.each([{ type: 'text' }, { text: 7 }, { type: 7 }, {}, 'text', ['text'], null, 7])(
  'takes %j for neither',
  (part) => {
    expect([isImagePart(part), isTextPart(part)]).toEqual([false, false]);
  },
);
