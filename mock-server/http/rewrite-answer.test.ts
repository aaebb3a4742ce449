import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { DeliveryFault } from '../faults/fault.ts';
import { splitsCharacter, headerValueOf, type OutgoingAnswer, rewriteAnswer } from './rewrite-answer.ts';

const BODY = ': hello\n\ndata: {"a":1}\n\ndata: {"b":2}\n\n';

function answer(body: string): OutgoingAnswer {
  return { status: 200, headers: ['content-type', 'text/plain', 'content-length', `${body.length}`], body };
}

function rewritten(fault: DeliveryFault, body = BODY): OutgoingAnswer {
  return rewriteAnswer(answer(body), fault, () => '{"error":{}}');
}

test.each<[DeliveryFault, string]>([
  [{ fault: 'duplicate_event', event: 1 }, BODY.replace('data: {"a":1}\n\n', (event) => event + event)],
  [{ fault: 'duplicate_event', event: 9 }, `${BODY}data: {"b":2}\n\n`],
  [{ fault: 'malformed_event', event: 1 }, BODY.replace('{"a":1}', '{"a')],
  [{ fault: 'error_event', events: 1 }, ': hello\n\ndata: {"a":1}\n\ndata: {"error":{}}\n\n'],
  [{ fault: 'error_event', events: 0 }, 'data: {"error":{}}\n\n'],
])('changes the events for %j, and says how long the body is', (fault, body) => {
  expect(rewritten(fault)).toEqual(answer(body));
});

test('keeps the line ends of a stream', () => {
  const { body } = rewritten({ fault: 'malformed_event', event: 1 }, BODY.replaceAll('\n', '\r\n'));
  expect(body).toBe(BODY.replace('{"a":1}', '{"a').replaceAll('\n', '\r\n'));
});

test.each<[DeliveryFault, readonly string[]]>([
  [{ fault: 'wrong_header', header: 'content-type', how: 'wrong', value: null }, ['text/html']],
  [{ fault: 'wrong_header', header: 'content-type', how: 'missing', value: null }, []],
  [{ fault: 'wrong_header', header: 'content-type', how: 'doubled', value: 'a/b' }, ['text/plain', 'a/b']],
  [{ fault: 'wrong_header', header: 'content-length', how: 'wrong', value: 7 }, ['7']],
  [{ fault: 'wrong_header', header: 'content-length', how: 'missing', value: null }, []],
  [{ fault: 'wrong_header', header: 'content-length', how: 'doubled', value: null }, ['39', '40']],
  [{ fault: 'wrong_header', header: 'content-encoding', how: 'wrong', value: null }, ['gzip']],
])('sends the header for %j as %j, and the body as it is', (fault, values) => {
  const { headers, body } = rewritten(fault);
  const name = 'header' in fault ? fault.header : '';
  expect(headers.filter((_, index) => index % 2 === 1 && headers[index - 1] === name)).toEqual(values);
  expect(body).toBe(BODY);
});

test.each<['missing' | 'doubled', readonly string[]]>([
  ['missing', []],
  ['doubled', ['gzip', 'gzip']],
])('compresses the body once given a %s Content-Encoding', (how, values) => {
  const { headers, body } = rewritten({
    fault: 'wrong_header',
    header: 'content-encoding',
    how,
    value: null,
  });
  expect(gunzipSync(Buffer.from(body, 'latin1')).toString('latin1')).toBe(BODY);
  expect(headerValueOf(headers, 'content-length')).toBe(`${body.length}`);
  expect(headers.filter((_, index) => headers[index - 1] === 'content-encoding')).toEqual(values);
});

test.each([
  ['a\u00c3\u00a4b\u00e2\u0082\u00acc', ['a\u00c3', '\u00a4b\u00e2', '\u0082\u00acc']],
  ['abcde', ['abc', 'de']],
])('splits %j inside its characters', (body, pieces) => {
  const sizeOf = splitsCharacter(body);
  const found: string[] = [];
  for (let rest = body; rest !== ''; rest = rest.slice(found.at(-1)?.length))
    found.push(rest.slice(0, sizeOf(rest)));
  expect(found).toEqual(pieces);
});
