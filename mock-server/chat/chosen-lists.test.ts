import { expect, test } from 'vitest';
import { get, openMock } from '../test-support/open-mock.ts';

test('says what a rule of its endpoint says, in turn and to its key, and its own list otherwise', async () => {
  const answers = [
    {
      match: { endpoint: 'models', key: 'second' },
      text: ['{"data":[]}', 'no JSON'],
      headers: { 'x-cache': 'hit' },
      times: 2,
      unchecked: true,
    },
    'unchecked=true endpoint=vision nth=2 text=null',
    'It rains.',
  ];
  const mock = await openMock({ answers, control: true });
  const [first, second, third, other] = [
    await get(mock, 'models', 'second'),
    await get(mock, 'models', 'second'),
    await get(mock, 'models', 'second'),
    await get(mock, 'models'),
  ];
  expect([await first.text(), await second.text()]).toEqual(['{"data":[]}', 'no JSON']);
  const cached = [first, third].map(({ headers }) => headers.get('x-cache'));
  expect([first.status, ...cached]).toEqual([200, 'hit', null]);
  expect([await third.json(), await other.json()]).toMatchObject([{ object: 'list' }, { object: 'list' }]);
  const seen = [await get(mock, 'vision-capabilities'), await get(mock, 'vision-capabilities')];
  expect([await seen[0]?.json(), await seen[1]?.json()]).toMatchObject([{ object: 'list' }, null]);
  const named = mock.sandboxes.root.journal?.entries().map(({ answer }) => answer);
  expect(named).toEqual(['answer_1', 'answer_1', null, null, null, 'answer_2']);
  expect(mock.sandboxes.root.service.answers.unfired().map(({ id }) => id)).toEqual(['answer_3']);
});

test('adds headers and a wait to the list of the world', async () => {
  const answers = ['endpoint=models latency=86400000 headers.x-cache=hit'];
  const mock = await openMock({ answers, control: true });
  const late = get(mock, 'models');
  await expect.poll(() => mock.sandboxes.root.journal?.entries()).toMatchObject([{ answer: 'answer_1' }]);
  mock.sandboxes.flush();
  expect((await late).headers.get('x-cache')).toBe('hit');
  expect(await (await late).json()).toMatchObject({ object: 'list' });
});

test('meets a fault like any other answer', async () => {
  const faults = ['gateway_failure phase=before-headers times=1'];
  const mock = await openMock({ answers: ['unchecked=true endpoint=models text=mine'], faults });
  expect((await get(mock, 'models')).status).toBe(502);
  expect(await (await get(mock, 'models')).text()).toBe('mine');
});
