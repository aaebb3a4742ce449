import { expect, test } from 'vitest';
import {
  RECORDED_EXCHANGES,
  type RecordedExchange,
} from '../../../fixtures/recorded/test-support/recorded-exchanges.ts';
import type { Exchange } from '../model/exchange.ts';
import { isRateLimited } from '../sending/rate-limit-error.ts';
import { exchangeOf } from '../test-support/recorded.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { answerOf } from './answers.ts';
import { type UsageReading, readCompletion } from './completions/read-completion.ts';
import { dispositionOf } from './errors/disposition.ts';
import { readError } from './errors/read-error.ts';
import { exactText } from './json.ts';
import type { ItemReading } from './locate.ts';
import { readStream } from './streams/read-stream.ts';

const info = infoForTest();

const valueOf = (reading: ItemReading | undefined) => (typeof reading === 'object' ? reading.value : reading);

function countsOf(usage: UsageReading | undefined) {
  if (typeof usage !== 'object') return usage;
  const { input, output, total } = usage;
  return {
    ...(input && { input: input.value }),
    ...(output && { output: output.value }),
    ...(total && { total: total.value }),
  };
}

/** A gateway error is uncertain, and its body can be read nevertheless. */
function asAnswered(exchange: Exchange): Exchange {
  const { outcome } = exchange;
  if (outcome.kind !== 'uncertain' || outcome.answer === undefined) return exchange;
  return { ...exchange, outcome: { kind: 'answered', answer: outcome.answer } };
}

/** All that the readers make of a recording, under the names of what a person reads. */
async function readingOf(recording: RecordedExchange) {
  const exchange = asAnswered(await exchangeOf(recording));
  const answer = answerOf(exchange);
  const disposition = dispositionOf(exchange, info);
  const rateLimited = isRateLimited(exchange.outcome);
  if (disposition !== 'served') {
    const error = readError(answer, info);
    const id = error?.requestId;
    const requestId = typeof id === 'object' ? (exactText(answer, id.pointer) ?? id.value) : id;
    return {
      disposition,
      rateLimited,
      code: valueOf(error?.code),
      message: valueOf(error?.message),
      requestId,
    };
  }
  if (recording.stream === true) {
    const { framing, text, terminator, finishReason, usage } = readStream(answer, info);
    const items = { finishReason: valueOf(finishReason), usage: countsOf(usage) };
    return { disposition, rateLimited, framing, text: text?.text, terminator, ...items };
  }
  const completion = readCompletion(answer, info);
  const choice = completion?.choices?.[0];
  const items = { finishReason: valueOf(choice?.finishReason), usage: countsOf(completion?.usage) };
  return { disposition, rateLimited, text: choice?.text, ...items };
}

test.each(RECORDED_EXCHANGES.map((recording) => [recording.name, recording] as const))(
  'reads in %s what a person does',
  async (_name, recording) => {
    const { uncertain: _, ...reads } = recording.reads;
    expect(await readingOf(recording)).toMatchObject({ rateLimited: false, ...reads });
  },
);
