import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { answerOf } from '../kit/reading/answer-of.ts';
import { check } from '../kit/check.ts';
import type { Exchange } from '../kit/exchange.ts';
import type { Usage } from '../kit/reading/find-usage.ts';
import { readCompletion } from '../kit/reading/read-completion.ts';
import { readStream } from '../kit/reading/read-stream.ts';
import { HOLDS, notExercised, violated } from '../kit/ruling.ts';
import { sentChat } from '../kit/reading/sent-chat.ts';
import type { Survey } from '../kit/survey.ts';
import { unserved } from '../kit/judging/unserved.ts';

/** No vocabulary in use has a token of more bytes. */
const LONGEST_TOKEN_BYTES = 256;

export const outputWithinMaxTokens = check({
  id: 'output-within-max-tokens',
  clauses: ['REQ-9'],
  title: 'generates no more tokens than max_tokens',
  given: acceptedChats,
  holds: ({ exchanges: [exchange] }, survey) => {
    const most = exchange && sentChat(exchange.request)?.['max_tokens'];
    if (exchange === undefined || typeof most !== 'number')
      return notExercised('the chat names no max_tokens');
    const elsewhere = unserved(exchange, survey);
    if (elsewhere) return elsewhere;

    const { texts, count } = outputOf(exchange, survey);
    if (count !== undefined && count.value > most) {
      return violated(
        'over-max-tokens',
        `at most ${most} output tokens`,
        `${count.value} reported`,
        count.pointer,
      );
    }
    const bytes = Math.max(-1, ...texts.map((text) => Buffer.byteLength(text)));
    if (bytes > most * LONGEST_TOKEN_BYTES) {
      return violated('text-too-long', `a text that ${most} tokens can hold`, `a text of ${bytes} bytes`);
    }
    if (bytes >= 0 || count !== undefined) return HOLDS;
    return notExercised('neither usage nor text was recognised', 'pin "response.usage.output" in a profile');
  },
});

interface Output {
  readonly texts: readonly string[];
  readonly count: Usage['output'] | undefined;
}

function outputOf(exchange: Exchange, survey: Survey): Output {
  const answer = answerOf(exchange);
  const whole = readCompletion(answer, survey);
  if (whole !== undefined) {
    return { texts: (whole.choices ?? []).flatMap(({ text }) => text ?? []), count: outputIn(whole.usage) };
  }
  const { text, usage } = readStream(answer, survey);
  return { texts: text === undefined ? [] : [text.text], count: outputIn(usage) };
}

function outputIn(usage: Usage | 'absent' | 'unrecognised'): Usage['output'] | undefined {
  return typeof usage === 'object' ? usage.output : undefined;
}
