import { expect, test } from 'vitest';
import { openControlled } from './test-support/controlled-mock.ts';

test('arms answers as JSON and as lines, and counts what they answered', async () => {
  const { control, chat } = await openControlled();
  const rules = [{ match: { contains: 'weather' }, text: 'It rains.' }, 'text="Hello back" unchecked=true'];
  const line = 'text="It rains." contains=weather';
  const rule = { text: 'Hello back', unchecked: true };
  expect(await control('POST', '/answers', rules)).toMatchObject({ status: 201 });
  expect(await (await chat()).text()).toContain('"Hello back"');
  expect(await control('GET', '/answers')).toEqual({
    status: 200,
    body: {
      rules: [
        { id: 'answer_1', rule: rules[0], line, seen: 0, fired: 0, over: false },
        { id: 'answer_2', rule, line: rules[1], seen: 1, fired: 1, over: false },
      ],
    },
  });
});

test('arms one answer for each line', async () => {
  const { control } = await openControlled();
  const rules = [{ text: 'It rains.' }, { match: { endpoint: 'models' }, latency: 5 }];
  const { body } = await control('POST', '/answers', 'It rains.\nendpoint=models latency=5\n');
  expect(body).toMatchObject({ rules: rules.map((rule) => ({ rule })) });
});

test.each([
  ['It rains.\n', [{ rule: { text: 'It rains.' } }]],
  ['""', []],
])('arms what the text %j says', async (text, rules) => {
  const { control } = await openControlled();
  expect(await control('POST', '/answers', text)).toMatchObject({ status: 201, body: { rules } });
});

test('arms the answers of a sandbox before those of its world, and replaces them', async () => {
  const { control } = await openControlled();
  const world = { answers: [{ text: 'last' }] };
  await control('POST', '/sandboxes', { id: 'a', answers: 'first', world });
  const at = '/sandboxes/a/answers';
  const first = [{ rule: { text: 'first' } }, { rule: { text: 'last' } }];
  expect(await control('GET', at)).toMatchObject({ body: { rules: first } });
  const other = [{ id: 'answer_3' }];
  expect(await control('PUT', at, { text: 'other' })).toMatchObject({ body: { rules: other } });
});
