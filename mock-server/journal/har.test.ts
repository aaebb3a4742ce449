import { expect, test } from 'vitest';
import { z } from 'zod';
import { harOf } from './har.ts';
import type { ShownExchange } from './shown-exchange.ts';

const count = z.number().min(-1);
const pairs = z.array(z.strictObject({ name: z.string(), value: z.string() }));
const message = {
  httpVersion: z.string(),
  cookies: z.array(z.never()),
  headers: pairs,
  headersSize: count,
  bodySize: count,
};

/** The members that HAR 1.2 requires, and no others but those with an underscore. */
const HAR = z.strictObject({
  log: z.strictObject({
    version: z.literal('1.2'),
    creator: z.strictObject({ name: z.string().min(1), version: z.string().min(1) }),
    entries: z.array(
      z.strictObject({
        startedDateTime: z.iso.datetime(),
        time: z.number().min(0),
        request: z.strictObject({
          ...message,
          method: z.string(),
          url: z.url(),
          queryString: pairs,
          postData: z.strictObject({ mimeType: z.string(), text: z.string() }).optional(),
        }),
        response: z.strictObject({
          ...message,
          status: z.int().min(0),
          statusText: z.string(),
          content: z.strictObject({
            size: z.int(),
            mimeType: z.string(),
            text: z.string().optional(),
            encoding: z.literal('base64').optional(),
          }),
          redirectURL: z.string(),
        }),
        cache: z.strictObject({}),
        timings: z.strictObject({ send: count, wait: count, receive: count }),
        comment: z.string().optional(),
        _chatConformance: z.looseObject({}),
      }),
    ),
  }),
});

const HEADERS = [['Content-Type', 'application/json']];
const ANSWERED = {
  entry: { realAt: 0, method: 'POST', ended: 'answered', faults: [], ms: 3.5, sandbox: null },
  request: { url: '/v1/chat/completions?a=b&a=%20', headers: HEADERS, body: { text: '{"é":1}', bytes: 8 } },
  response: { status: 200, headers: HEADERS, body: { base64: '/wA=', bytes: 2 }, ms: 2 },
} as unknown as ShownExchange;
const LOST = { ...ANSWERED, response: null, request: { ...ANSWERED.request, body: null } } as ShownExchange;

test('has every member that HAR 1.2 requires, with and without an answer', () => {
  const har = HAR.parse(harOf([ANSWERED, LOST], () => 'http://127.0.0.1:1', '1.0.0'));
  const [answered, lost] = har.log.entries;
  expect(answered).toMatchObject({
    startedDateTime: '1970-01-01T00:00:00.000Z',
    time: 3.5,
    request: {
      bodySize: 8,
      queryString: [
        { name: 'a', value: 'b' },
        { name: 'a', value: ' ' },
      ],
      postData: { mimeType: 'application/json', text: '{"é":1}' },
    },
    response: { status: 200, content: { size: 2, text: '/wA=', encoding: 'base64' } },
    timings: { wait: 2, receive: 1.5 },
  });
  expect(lost).toMatchObject({ response: { status: 0, bodySize: -1 }, timings: { wait: 3.5 } });
  expect(lost?.request.postData).toBeUndefined();
});
