import { expect, test } from 'vitest';
import { ControlError } from '../engine/control/control-connection.ts';
import type { Deployment } from '../engine/model/deployment.ts';
import type { Draft } from '../engine/model/exchange.ts';
import { deploymentForTest } from '../engine/test-support/deployment.ts';
import { REFUSED, SERVED, senderForTest } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { gatewayFailureIsNoSuccess, uncertainStaysUnderReview } from './armed-losses.ts';
import { armedRateLimitError, failureStatus, unavailabilityIsError } from './armed-refusals.ts';
import { UNDER_REVIEW } from './test-support/armed-trials.ts';

const REFUSALS = [armedRateLimitError, unavailabilityIsError, failureStatus];
const LOSSES = [gatewayFailureIsNoSuccess, uncertainStaysUnderReview];
const ALL = [...REFUSALS, ...LOSSES];

/** Sends the first input of a check to a service that refuses what is armed. */
async function sent({ given }: (typeof ALL)[number], more: Partial<Deployment> = {}) {
  const { deployment, asked } = deploymentForTest(more);
  const drafts: Draft[] = [];
  const sender = senderForTest((draft) => {
    drafts.push(draft);
    return draft.armed === undefined ? SERVED : { ...REFUSED, status: 503 };
  });
  const [input] = given.inputs(infoForTest()).examples;
  const trial = given.send(input, { ...sender, deployment }, infoForTest());
  return { trial, asked, drafts };
}

test.each(ALL)('$id: is sent with a control URL only', ({ given }) => {
  expect(given.skipReason?.(infoForTest())).toBe('needs --control-url');
  expect(given.skipReason?.(infoForTest({ control: true }))).toBeUndefined();
});

test.each(ALL)('$id: disarms its fault before it sends the same chat without', async (check) => {
  const { trial, asked, drafts } = await sent(check);
  expect((await trial).counterpart?.outcome.kind).toBe('answered');
  expect(asked).toEqual([expect.stringMatching(/^arm /), 'disarm']);
  expect(drafts.map(({ armed }) => armed !== undefined)).toEqual([true, false]);
  expect(drafts[0]?.body).toEqual(drafts[1]?.body);
});

test.each(ALL)('$id: disarms where the deployment cannot say whether its fault triggered', async (check) => {
  const triggerCount = async () => Promise.reject(new ControlError('not-done', 'no answer'));
  const { trial, asked } = await sent(check, { triggerCount });
  await expect(trial).rejects.toThrow('no answer');
  expect(asked.at(-1)).toBe('disarm');
});

test.each(LOSSES)('$id: ends as failed what it left under review', async (check) => {
  const { trial, asked } = await sent(check, { requests: async () => [UNDER_REVIEW] });
  expect(await trial).toMatchObject({ later: [UNDER_REVIEW], fired: 1 });
  expect(asked.at(-1)).toBe('release lost');
});

test('waits for no answer to a timeout once the workspace shows what became of it', async () => {
  const { deployment } = deploymentForTest({ requests: async () => [UNDER_REVIEW] });
  const { given } = uncertainStaysUnderReview;
  const input = given.inputs(infoForTest()).examples.find((each) => String(each).startsWith('timeout'));
  const sender = senderForTest(() => SERVED);
  const silent: typeof sender.provoke = async ({ giveUp }) => {
    await new Promise((resolve) => giveUp?.addEventListener('abort', resolve));
    return sender.provoke({ method: 'POST', path: '/chat/completions' });
  };
  const trial = given.send(input, { ...sender, provoke: silent, deployment }, infoForTest());
  expect(await trial).toMatchObject({ fault: 'timeout', later: [UNDER_REVIEW] });
});
