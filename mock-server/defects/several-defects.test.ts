import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../start-mock.ts';
import type { DefectName } from './defects.ts';

async function statusesOf(...defect: readonly DefectName[]): Promise<readonly number[]> {
  const mock = await startMock({ defect });
  onTestFinished(() => mock.close());
  const headers = { authorization: `Bearer ${mock.keys['primary']}`, 'content-type': 'application/json' };
  const messages = [{ role: 'user', content: 'Hi.' }];
  const chats = [
    { model: 'compact-1', messages, unheard_of: 1 },
    { model: 'compact-1', messages: [{ role: 'developer', content: 'Hi.' }] },
  ];
  const answers = await Promise.all(
    chats.map((chat) =>
      fetch(`${mock.url}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(chat) }),
    ),
  );
  return answers.map(({ status }) => status);
}

test('serves what either defect lets through given both', async () => {
  expect(await statusesOf()).toEqual([400, 400]);
  expect(await statusesOf('unknown-fields-stripped')).toEqual([200, 400]);
  expect(await statusesOf('unknown-fields-stripped', 'developer-role-allowed')).toEqual([200, 200]);
  expect(await statusesOf('developer-role-allowed', 'unknown-fields-stripped')).toEqual([200, 200]);
});
