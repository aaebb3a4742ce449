import type { JsonObject } from '../../fixtures/chats/chat.ts';
import { faithfulChat, ofAll, rightOnce } from '../engine/inputs/judging/served-chat-invariant.ts';
import type { Invariant } from '../engine/model/check.ts';
import { type Exchange, isCutShort } from '../engine/model/exchange.ts';
import { type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { isSuccess } from '../engine/reading/answers.ts';
import { countsIn } from '../engine/reading/completions/read-completion.ts';
import { isJsonObject } from '../engine/reading/json.ts';
import { normalizeName } from '../engine/reading/locate.ts';
import { isEventStreamType, readResult } from '../engine/reading/streams/read-stream.ts';

/** Bytes of a text that no service counts as a few tokens, and of one that it does. */
const LONG_TEXT = 160;
const SHORT_TEXT = 64;
/** Long texts are rare, and two impossible counts are no coincidence. */
const TWICE = 2;
/** In any tokenizer, of a text of many words. */
const MOST_BYTES_PER_TOKEN = 16;

/** A completion with a text, and the counts of tokens that it reports. */
interface Counted extends ReturnType<typeof countsIn> {
  readonly exchange: Exchange;
  readonly kind: 'whole answers' | 'streams';
  readonly model: unknown;
  /** Of the texts that were sent. */
  readonly bytes: number;
}

/** What is wrong with a usage in words, or that it is right; undefined where it does not bear on the rule. */
type Rule = (
  counted: Counted,
  all: readonly Counted[],
) => 'right' | { readonly actual: string; readonly path: string } | undefined;

const RULES: Readonly<Record<string, { readonly expected: string; readonly rule: Rule }>> = {
  'no-output-tokens': {
    expected: 'output tokens above 0 for a text',
    // Where every count is 0, `usage-not-always-zero` says so.
    rule: ({ input, output, total }) => {
      if (output === undefined || (input?.value ?? 0) + (total?.value ?? 0) === 0) return undefined;
      return output.value > 0 ? 'right' : { actual: '0 output tokens beside a text', path: output.pointer };
    },
  },
  // More than the sum may hold tokens that are neither, such as those of a model that reasons.
  'total-below-parts': {
    expected: 'a total of at least input and output together',
    rule: ({ input, output, total }) => {
      if (input === undefined || output === undefined || total === undefined) return undefined;
      if (!normalizeName(total.pointer).includes('total')) return undefined;
      const [least, is] = [input.value + output.value, total.value];
      const actual = `${is} in total, beside ${input.value} input and ${output.value} output tokens`;
      return is >= least ? 'right' : { actual, path: total.pointer };
    },
  },
  // A usage may count what the service adds to every chat, and round.
  'input-not-counted': {
    expected: 'input tokens that grow with the input',
    rule: ({ bytes, input, model }, all) => {
      if (input === undefined || bytes < LONG_TEXT) return undefined;
      const short = all.filter((each) => each.model === model && each.bytes < SHORT_TEXT);
      const isGrown = !short.some((each) => each.input?.value === input.value);
      const isRound = input.value > 0 && input.value % 10 === 0;
      if (input.value * MOST_BYTES_PER_TOKEN > bytes && (isGrown || isRound)) return 'right';
      return { actual: `${input.value} input tokens for ${bytes} bytes of text`, path: input.pointer };
    },
  },
};

/** One answer may be wrong for whatever reason, such as a cache: every answer of a kind is not. */
export const usagePossible: Invariant = {
  id: 'usage-possible',
  clauses: ['RES-4'],
  title: 'reports token counts that its texts can have',
  ofWholeRun: true,
  thresholds: {
    'bytes of a long text': LONG_TEXT,
    'bytes of a short text': SHORT_TEXT,
    'bytes of text for one input token': MOST_BYTES_PER_TOKEN,
  },
  unexercised: 'a verdict needs texts whose usage counts tokens, see RES-4',
  ...ofAll(countedIn, (all) =>
    (['whole answers', 'streams'] as const).flatMap((kind) => {
      const ofKind = all.filter((each) => each.kind === kind);
      return Object.entries(RULES).flatMap(([code, { expected, rule }]) => {
        const bearing = ofKind.flatMap((each) => {
          const found = rule(each, ofKind);
          return found === undefined ? [] : { exchange: each.exchange, found };
        });
        const right = bearing.find(({ found }) => found === 'right');
        const wrong = ({ found }: (typeof bearing)[number]): Ruling => {
          const { actual, path } = found === 'right' ? { actual: '', path: '' } : found;
          return violated(
            code,
            expected,
            `${actual}, as in all ${bearing.length} ${kind} of this sort`,
            path,
          );
        };
        return rightOnce(bearing, right, wrong, TWICE);
      });
    }),
  ),
};

function countedIn(exchange: Exchange, info: TargetInfo): Counted | undefined {
  const { outcome, request } = exchange;
  if (outcome.kind !== 'answered' || !isSuccess(outcome.answer) || isCutShort(outcome.answer))
    return undefined;
  const chat = faithfulChat(request, info);
  if (chat === undefined) return undefined;
  const { texts, usage } = readResult(outcome.answer, info);
  if (texts.join('') === '') return undefined;
  const kind = isEventStreamType(outcome.answer) ? 'streams' : 'whole answers';
  return { ...countsIn(usage), exchange, kind, model: chat['model'], bytes: bytesOf(chat) };
}

function bytesOf({ messages }: JsonObject): number {
  const list = Array.isArray(messages) ? messages : [];
  const texts = list.map((message: unknown) => {
    const content = isJsonObject(message) ? message['content'] : undefined;
    return typeof content === 'string' ? content : '';
  });
  return Buffer.byteLength(texts.join(''));
}
