import { expect, test } from 'vitest';
import { showExchange, type ShownExchange } from '../../journal/shown-exchange.ts';
import { startMock } from '../../start-mock.ts';
import { asCurl, courseOf, partedAt, saidIn } from './entry-text.ts';

const CHAT = '/v1/chat/completions';

/** What the journal shows of a request. */
async function shown(url: string, fault: string, init: RequestInit = {}): Promise<ShownExchange> {
  const mock = await startMock({ control: true, faults: [fault] });
  const authorization = `Bearer ${mock.keys['primary']}`;
  const headers = { authorization, 'content-type': 'application/json', 'x-note': "it's" };
  await fetch(`${mock.origin}${url}`, { ...init, headers })
    .then((answer) => answer.text())
    .catch(() => {});
  await mock.close();
  const [record] = mock.sandboxes.root.journal?.records() ?? [];
  if (record === undefined) throw new Error('nothing is journalled');
  return showExchange(record, mock.world.keys);
}

const BODY = '{"model":"compact-1","messages":[{"role":"user","content":"It\'s"}],"stream":true}';
const POST = { method: 'POST', body: BODY };

test.each([
  ['stream_cut events=1', [/^inside-body$/, /^stream_cut \(rule_1\)$/, /^the connection was cut/]],
  ['pieces bytes=400', [/^answer 200 is made$/, /^the answer has left whole$/]],
  [
    'connection_reset phase=after-validation',
    [/^arrived$/, /^after-validation$/, /^connection_reset \(rule_1\)$/, /^the connection was cut/],
  ],
])('tells the course of a request with %s', async (fault, told) => {
  const course = courseOf(await shown(CHAT, fault, POST)).map(({ what }) => what);
  const places = told.map((each) => course.findIndex((what) => each.test(what)));
  expect([course, places]).toEqual([course, places.toSorted((one, other) => one - other)]);
  expect(places).not.toContain(-1);
  expect(course.filter((what) => /made/.test(what))).toHaveLength(fault.startsWith('connection') ? 0 : 1);
});

test.each([
  [CHAT, POST, String.raw`--data-raw '${BODY.replace("'", String.raw`'\''`)}'`],
  ['/v1/models?ids[]=[1-3]', {}, "curl --include --globoff 'http://a.example/v1/models?ids[]=[1-3]'"],
  ['/v1/models', { method: 'DELETE' }, '--request DELETE'],
])('writes %s %j as a curl command', async (url, init, part) => {
  const lines = asCurl(await shown(url, 'rate_limit', init), 'http://a.example').split(' \\\n  ');
  const note = String.raw`--header 'x-note: it'\''s'`;
  const own = ['--header "Authorization: Bearer $CHAT_API_KEY"', note, part];
  expect(lines).toEqual(expect.arrayContaining(own));
  expect(lines.filter((line) => /--request/.test(line))).toHaveLength(part.startsWith('--request') ? 1 : 0);
  expect(lines.join('\n')).not.toMatch(/--header '?(?:host|content-length|connection|accept-encoding)/i);
});

test('parts a body where it was cut, unless it was masked', () => {
  expect(partedAt({ text: 'aéb', bytes: 4 }, 3)).toEqual(['aé', 'b']);
  expect(partedAt({ text: 'Hello, (a key)', bytes: 40 }, 9)).toBeUndefined();
});

test.each([
  [{ text: '{"choices":[{"message":{"content":"It rains."}}]}', bytes: 9 }, 'It rains.'],
  [{ text: '<html>', bytes: 6 }, ''],
  [{ base64: 'AA==', bytes: 1 }, ''],
  [null, ''],
])('finds the text of the answer %j: "%s"', (body, text) => {
  expect(saidIn(body)).toBe(text);
});
