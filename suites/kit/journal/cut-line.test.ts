import { array, assert, integer, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { cutLine, writtenEntry } from './cut-line.ts';

/** The line of an answer with this recorded body. */
function lineWith(body: object, type = 'ended'): Buffer {
  const answer = { status: 200, headers: { 'x-a': '"body":{"text":"' }, body, pieces: [] };
  return Buffer.from(JSON.stringify({ type, id: 'a/0', outcome: { kind: 'answered', answer } }));
}

const units = array(integer({ min: 0, max: 0xffff })).map((all) => String.fromCharCode(...all));

test('cuts a large text out of its line, and gives the same bytes as JSON does', () => {
  assert(
    property(oneof(units, string({ unit: 'binary' })), (unit) => {
      const text = `${unit} "\\/\b\f\n\r\t\0${unit}é–😀\ud800`.repeat(2500);
      const { text: rest, body } = cutLine(lineWith({ text }));
      expect(rest).toBe(lineWith({ text: '' }).toString());
      expect(Buffer.compare(body?.() ?? Buffer.alloc(0), Buffer.from(text))).toBe(0);
    }),
    { numRuns: 10 },
  );
});

test('reads the other ways to write a character', () => {
  const line = lineWith({ text: 'x'.repeat(70_000) })
    .toString()
    .replace('xxx', '\\/\\u0041\\uD83D\\ude00');
  expect(writtenEntry(Buffer.from(line)).body?.subarray(0, 7).toString()).toBe('/A😀x');
});

test('cuts bytes that are no text', () => {
  const bytes = Buffer.alloc(80_000, 200);
  const { entry, body } = writtenEntry(lineWith({ base64: bytes.toString('base64') }));
  expect(body).toEqual(bytes);
  expect(entry).toMatchObject({ outcome: { answer: { body: { base64: '' } } } });
});

test.each([
  ['a small body', lineWith({ text: 'x'.repeat(100) })],
  ['a large line of another type', lineWith({ text: 'x'.repeat(80_000) }, 'trial')],
  [
    'a line break in the text',
    Buffer.from(
      lineWith({ text: 'x'.repeat(80_000) })
        .toString()
        .replace('xx', '\n'),
    ),
  ],
  [
    'an escape that is none',
    Buffer.from(
      lineWith({ text: 'x'.repeat(80_000) })
        .toString()
        .replace('xx', '\\x'),
    ),
  ],
  ['no end', lineWith({ text: 'x'.repeat(80_000) }).subarray(0, 80_000)],
])('leaves a line whole given %s', (_what, line) => {
  const { text, body } = cutLine(line);
  expect([text, body]).toEqual([line.toString(), undefined]);
});
