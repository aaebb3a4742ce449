import type { JsonObject } from '../../fixtures/chats/chat.ts';
import { faithfulChat, MANY, ofAll, rightOnce } from '../engine/inputs/judging/served-chat-invariant.ts';
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
/** Equal inputs, each with a different count. */
const NEVER_EQUAL = 5;
/** In any tokenizer, of a text of many words. */
const MOST_BYTES_PER_TOKEN = 16;

type Counted = NonNullable<ReturnType<typeof countedIn>>;

/** Whether a usage is right, and what is wrong with it otherwise; undefined where it does not bear on the rule. */
type Rule = (counted: Counted, all: readonly Counted[]) => Found | undefined;

interface Found {
  readonly isRight: boolean;
  readonly actual: string;
  readonly pointer: string;
}

/** By the codes of their findings. */
type Rules = Readonly<Record<string, { readonly expected: string; readonly rule: Rule }>>;

/** One answer may be wrong for whatever reason, such as a cache: every answer of a kind is not. */
function neverRight(rules: Rules, many: number): ReturnType<typeof ofAll> {
  return ofAll(countedIn, (all) =>
    (['whole answers', 'streams'] as const).flatMap((kind) => {
      const ofKind = all.filter((each) => each.kind === kind);
      return Object.entries(rules).flatMap(([code, { expected, rule }]) => {
        const bearing = ofKind.flatMap((counted) => {
          const found = rule(counted, ofKind);
          return found === undefined ? [] : { exchange: counted.exchange, ...found };
        });
        const right = bearing.find(({ isRight }) => isRight);
        const also = `as in all ${bearing.length} such ${kind}`;
        const wrong = ({ actual, pointer }: Found): Ruling =>
          violated(code, expected, `${actual}, ${also}`, pointer);
        return rightOnce(bearing, right, wrong, many);
      });
    }),
  );
}

/** A text that never took a token was not counted. */
export const usageNotAlwaysZero: Invariant = {
  id: 'usage-not-always-zero',
  clauses: ['RES-4'],
  title: 'reports a token count above 0 for some response and for some stream with a text',
  ofWholeRun: true,
  thresholds: { 'answers of one kind that must all count 0 tokens to fail': MANY },
  unexercised: `a verdict needs a text with a token count above 0, or ${MANY} answers of one kind with a text and a count of 0, see RES-4`,
  ...neverRight(
    {
      'zero-usage': {
        expected: 'a token count above 0 for a text',
        rule: ({ input, output, total }) => {
          const counts = [input, output, total].filter((count) => count !== undefined);
          const [most] = counts.toSorted((one, other) => other.value - one.value);
          return most && { isRight: most.value > 0, actual: '0', pointer: most.pointer };
        },
      },
    },
    MANY,
  ),
};

const RULES: Rules = {
  'no-output-tokens': {
    expected: 'output tokens above 0 for a text',
    // Where every count is 0, `usage-not-always-zero` says so.
    rule: ({ input, output, total }) => {
      if (output === undefined || (input?.value ?? 0) + (total?.value ?? 0) === 0) return undefined;
      const actual = '0 output tokens beside a text';
      return { isRight: output.value > 0, actual, pointer: output.pointer };
    },
  },
  // More than the sum may hold tokens that are neither, such as those of a model that reasons.
  'total-below-parts': {
    expected: 'a total of at least input and output together',
    rule: ({ input, output, total }) => {
      if (input === undefined || output === undefined || total === undefined) return undefined;
      const { value, pointer } = total;
      if (!normalizeName(pointer).includes('total')) return undefined;
      const actual = `${value} in total, beside ${input.value} input and ${output.value} output tokens`;
      return { isRight: value >= input.value + output.value, actual, pointer };
    },
  },
  // A usage may count what the service adds to every chat, in blocks of tokens, or a few tokens at least.
  'input-not-counted': {
    expected: 'input tokens that grow with the input',
    rule: ({ bytes, input, model }, all) => {
      if (input === undefined || bytes < LONG_TEXT) return undefined;
      const { value, pointer } = input;
      const short = all.filter((each) => each.model === model && each.bytes < SHORT_TEXT);
      const isRight = value * MOST_BYTES_PER_TOKEN > bytes;
      // The first block may hold both texts.
      if (isRight && short.some((each) => each.input?.value === value)) return undefined;
      return { isRight, actual: `${value} input tokens for ${bytes} bytes of text`, pointer };
    },
  },
  'running-total': {
    expected: 'input tokens of the request alone',
    rule: ({ input, model, messages }, all) => {
      const equal = all.filter((each) => each.model === model && each.messages === messages && each.input);
      if (input === undefined || equal.length < NEVER_EQUAL) return undefined;
      const counts = new Set(equal.map((each) => each.input?.value));
      const actual = `${input.value} input tokens, a different count for each of ${equal.length} equal inputs`;
      return { isRight: counts.size < equal.length, actual, pointer: input.pointer };
    },
  },
};

export const usagePossible: Invariant = {
  id: 'usage-possible',
  clauses: ['RES-4'],
  title: 'reports token counts that its texts can have',
  ofWholeRun: true,
  thresholds: {
    'bytes of a long text': LONG_TEXT,
    'bytes of a short text': SHORT_TEXT,
    'bytes of text for one input token': MOST_BYTES_PER_TOKEN,
    'equal inputs that must all have different counts to fail': NEVER_EQUAL,
  },
  unexercised: 'a verdict needs texts whose usage counts tokens, see RES-4',
  ...neverRight(RULES, TWICE),
};

/** A completion with a text, and the counts of tokens that it reports. */
function countedIn(exchange: Exchange, info: TargetInfo) {
  const { outcome, request } = exchange;
  if (outcome.kind !== 'answered' || !isSuccess(outcome.answer) || isCutShort(outcome.answer))
    return undefined;
  const chat = faithfulChat(request, info);
  if (chat === undefined) return undefined;
  const { texts, usage } = readResult(outcome.answer, info);
  if (texts.join('') === '') return undefined;
  const kind = isEventStreamType(outcome.answer) ? 'streams' : 'whole answers';
  const messages = JSON.stringify(chat['messages']);
  return { ...countsIn(usage), exchange, kind, model: chat['model'], messages, bytes: bytesOf(chat) };
}

/** Of the texts that were sent. */
function bytesOf({ messages }: JsonObject): number {
  const list = Array.isArray(messages) ? messages : [];
  const texts = list.map((message: unknown) => {
    const content = isJsonObject(message) ? message['content'] : undefined;
    return typeof content === 'string' ? content : '';
  });
  return Buffer.byteLength(texts.join(''));
}
