import { createHash } from 'node:crypto';
import type { Choices } from '../second-service/choices.ts';
import { OWN_CHOICES } from '../second-service/own-choices.ts';
import { Refusal, type Reply } from '../second-service/reply.ts';
import { catching, changeSteps, chatIn, type SecondDefects } from './second-defect.ts';

const { completion, finishReasons } = OWN_CHOICES;
const IDS = 40;

const withoutCutText: Partial<Choices> = {
  completion: (generation, members) =>
    generation.finish === finishReasons.length
      ? { ...members.root, choices: [{ ...members.choice, message: { ...members.message, content: null } }] }
      : completion(generation, members),
};

const inUtf8: Partial<Choices> = { stringify: (value) => JSON.stringify(value) };

/** Cuts a text after as many bytes as it has characters. */
function cutByLength(text: string): string {
  return Buffer.from(text).subarray(0, text.length).toString();
}

/** Responses that cannot be read, or that cannot be distinguished. */
export const ANSWER_DEFECTS = {
  'text-cut-is-withheld': {
    clauses: ['RES-2'],
    story: 'A text that reached its maximum is unfinished, and therefore withheld',
    choices: withoutCutText,
  },
  'length-in-characters': {
    clauses: ['RES-1', 'STR-3'],
    story: 'The length of the response is counted in characters but sent in bytes, which cuts off its end',
    alsoBlamed: {
      'RES-4': 'the end that is cut off may hold the usage',
      'VER-2': 'the client reads streams as events of JSON',
    },
    choices: inUtf8,
    amend: changeSteps(({ completionReply }) => ({
      completionReply: (generation, stream, choices) => {
        const reply = completionReply(generation, stream, choices);
        return { ...reply, body: cutByLength(reply.body) };
      },
    })),
  },
  'slow-chats-become-jobs': {
    clauses: ['RES-1'],
    story: 'A slow model answers with the number of a job, to be polled later',
    amend: changeSteps(({ completionReply }) => ({
      completionReply: (generation, stream, choices) => {
        const reply = completionReply(generation, stream, choices);
        const isSlow = choices.latencyMs({ id: generation.model, context: 0, price: 0, vision: false }) > 0;
        return isSlow && !stream
          ? { ...reply, status: 202, body: choices.stringify({ job: generation.id, state: 'queued' }) }
          : reply;
      },
    })),
  },
  'token-limit-inside-streams': {
    clauses: ['STR-4'],
    story: 'Tokens are counted after the stream has begun, and too many end in an error event',
    alsoBlamed: { 'ERR-10': 'the status went out before the refusal was known' },
    amend: changeSteps(({ answer, refusalReply }) => ({
      answer: catching(answer, (error, call, { choices }) => {
        const isEvent = error instanceof Refusal && error.kind === 'token_limit';
        if (!isEvent || chatIn(call.body)?.['stream'] !== true) throw error;
        const { body } = refusalReply(error, call, choices);
        return {
          status: 200,
          type: choices.streamType,
          body: choices.frameEvent({ name: 'error', data: body }, 0),
        };
      }),
    })),
  },
  'front-limits-the-rate': {
    clauses: ['ERR-1'],
    story:
      'The proxy in front limits how many requests are under way, and refuses the others with a page of its own',
    amend: changeSteps(({ answer }) => ({
      answer: catching(answer, (error) => {
        if (!(error instanceof Refusal) || error.kind !== 'rate_limit') throw error;
        const body = '<html><h1>429 Too Many Requests</h1><hr>proxyd/1.2</html>';
        return { status: 429, type: 'text/html', headers: { server: 'proxyd/1.2' }, body };
      }),
    })),
  },
  'request-id-is-the-idempotency-key': {
    clauses: ['ERR-1'],
    story: 'The Idempotency-Key serves as request ID, which is empty without one',
    amend: changeSteps(({ refusalReply }) => ({
      refusalReply: (refusal, call, choices) =>
        refusalReply(
          refusal,
          { ...call, requestId: String(call.request.headers['idempotency-key'] ?? '') },
          choices,
        ),
    })),
  },
  'request-ids-wrap-around': {
    clauses: ['ERR-2'],
    story: 'The request ID is a slot in a ring of forty',
    amend: changeSteps(({ refusalReply }) => ({
      refusalReply: (refusal, call, choices) =>
        refusalReply(refusal, { ...call, requestId: Number(call.requestId) % IDS }, choices),
    })),
  },
  'refusals-from-a-cache': {
    clauses: ['ERR-2'],
    story: 'Refusals are cached by request body, with their request ID',
    amend: changeSteps(({ refusalReply }) => {
      const cache = new Map<string, Reply>();
      return {
        refusalReply: (refusal, call, choices) => {
          const key = `${call.path} ${refusal.kind} ${createHash('sha256').update(call.body).digest('hex')}`;
          const reply = cache.get(key) ?? refusalReply(refusal, call, choices);
          cache.set(key, reply);
          return reply;
        },
      };
    }),
  },
} satisfies SecondDefects;
