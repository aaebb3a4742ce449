import { expect, test } from 'vitest';
import { openControlled } from './test-support/controlled-mock.ts';

test('arms answers as JSON and as lines, and counts what they answered', async () => {
  const { control, chat } = await openControlled();
  const rules = [{ match: { contains: 'weather' }, text: 'It rains.' }, 'text="Hello back" unchecked=true'];
  expect(await control('POST', '/answers', rules)).toMatchObject({ status: 201 });
  expect(await (await chat()).text()).toContain('"Hello back"');
  expect(await control('GET', '/answers')).toEqual({
    status: 200,
    body: {
      rules: [
        {
          id: 'answer_1',
          rule: rules[0],
          line: 'text="It rains." contains=weather',
          seen: 0,
          answered: 0,
          unchecked: false,
          over: false,
        },
        {
          id: 'answer_2',
          rule: { text: 'Hello back', unchecked: true },
          line: rules[1],
          seen: 1,
          answered: 1,
          unchecked: true,
          over: false,
        },
      ],
      unused: ['answer_1'],
      spent: [],
    },
  });
});

test('arms one answer for each line', async () => {
  const { control } = await openControlled();
  const rules = [{ text: 'It rains.' }, { match: { endpoint: 'models' }, latency: 5 }];
  const { body } = await control('POST', '/answers', 'It rains.\nendpoint=models latency=5\n');
  expect(body).toMatchObject({ rules: rules.map((rule) => ({ rule })) });
});

test('replaces, disarms and clears answers, in a sandbox too', async () => {
  const { control } = await openControlled();
  await control('POST', '/sandboxes', {
    id: 'a',
    answers: 'first',
    world: { answers: [{ text: 'last' }] },
  });
  const at = '/sandboxes/a/answers';
  expect(await control('GET', at)).toMatchObject({
    body: { rules: [{ rule: { text: 'first' } }, { rule: { text: 'last' } }] },
  });
  expect(await control('PUT', at, { text: 'other' })).toMatchObject({
    body: { rules: [{ id: 'answer_3' }] },
  });
  expect(await control('DELETE', `${at}/answer_1`)).toMatchObject({ status: 404 });
  expect(await control('DELETE', `${at}/answer_3`)).toMatchObject({ status: 204 });
  await control('POST', at, { text: 'other' });
  expect(await control('DELETE', at)).toMatchObject({ status: 204 });
  expect(await control('GET', at)).toMatchObject({ body: { rules: [] } });
});

test.each([
  ['/answers', [{ text: 'a' }, { txt: 'a' }], '/1/txt'],
  ['/answers', { text: '' }, '/text'],
  ['/answers', { file: '/etc/hostname' }, '/file'],
  ['/sandboxes', { answers: [{ match: { key: 'nobody' } }] }, '/answers/0/match/key'],
  ['/sandboxes', { world: { answers: [{ file: '/etc/hostname' }] } }, '/world/answers/0/file'],
  ['/sandboxes', { world: { answers: [{ match: { key: 'nobody' } }] } }, '/world/answers/0/match/key'],
])('refuses at %s, with the place, %j', async (path, body, at) => {
  const { control } = await openControlled();
  expect(await control('POST', path, body)).toMatchObject({ status: 400, body: { error: { at } } });
  expect(await control('GET', '/answers')).toMatchObject({ body: { rules: [] } });
});
