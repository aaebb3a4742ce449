import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { answerOf, sentChat } from '../kit/reading/answers.ts';
import { check, type Judgement } from '../kit/model/check.ts';
import type { Exchange } from '../kit/model/exchange.ts';
import { countsTokens, type Usage } from '../kit/reading/completions/find-usage.ts';
import { readCompletion } from '../kit/reading/completions/read-completion.ts';
import { readStream } from '../kit/reading/streams/read-stream.ts';
import { HOLDS, notExercised, violated } from '../kit/model/ruling.ts';
import type { Survey } from '../kit/model/target-info.ts';
import { notServed } from '../kit/judging/is-served.ts';

/** No vocabulary in use has a token of more bytes. */
const LONGEST_TOKEN_BYTES = 256;

/** Judges the answer to a chat that names max_tokens, whole or streamed: by usage, and by the length of its text. */
export const isWithinMaxTokens: Judgement = ({ exchanges: [exchange] }, survey) => {
  const most = exchange && sentChat(exchange.request)?.['max_tokens'];
  if (exchange === undefined || typeof most !== 'number') return notExercised('the chat names no max_tokens');
  const elsewhere = notServed(exchange, survey);
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
};

export const outputWithinMaxTokens = check({
  id: 'output-within-max-tokens',
  clauses: ['REQ-9'],
  title: 'generates no more tokens than max_tokens',
  given: acceptedChats,
  holds: isWithinMaxTokens,
});

interface Output {
  readonly texts: readonly string[];
  readonly count: Usage['output'] | undefined;
}

function outputOf(exchange: Exchange, survey: Survey): Output {
  const answer = answerOf(exchange);
  const whole = readCompletion(answer, survey);
  if (whole !== undefined) {
    const texts = (whole.choices ?? []).flatMap(({ text }) => text ?? []);
    return { texts, count: outputIn(whole.usage, survey) };
  }
  const { text, usage } = readStream(answer, survey);
  return { texts: text === undefined ? [] : [text.text], count: outputIn(usage, survey) };
}

/** In tokens: what counts credits, bytes or words may well be more than max_tokens. */
function outputIn(usage: Usage | 'absent' | 'unrecognised', { profile }: Survey): Usage['output'] {
  const count = typeof usage === 'object' ? usage.output : undefined;
  return count && countsTokens(count, 'response.usage.output', profile) ? count : undefined;
}
