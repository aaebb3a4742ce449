import { createHash } from 'node:crypto';
import type { Choices } from '../second-service/choices.ts';
import { Refusal } from '../second-service/refusal.ts';
import type { Reply } from '../second-service/reply.ts';
import { OWN_CHOICES } from '../second-service/own-choices.ts';
import { type SecondDefects, chatIn, changeSteps } from './second-defect.ts';

const { completion, finishReasons } = OWN_CHOICES;
const IDS = 40;

const withholding: Partial<Choices> = {
  completion: (made, said) =>
    made.finish === finishReasons.length
      ? { ...said.root, choices: [{ ...said.choice, message: { ...said.message, content: null } }] }
      : completion(made, said),
};

const inUtf8: Partial<Choices> = { stringify: (value) => JSON.stringify(value) };

/** As much of a text as it has characters, counted in bytes. */
function cutShort(text: string): string {
  return Buffer.from(text).subarray(0, text.length).toString();
}

function toldInside(error: Refusal, reply: Reply, { frame, streamType }: Choices): Reply {
  if (error.kind !== 'token_limit') throw error;
  return { status: 200, type: streamType, body: frame({ name: 'error', data: reply.body }, 0) };
}

/** Answers that cannot be read, or not told apart. */
export const ANSWER_DEFECTS = {
  'text-cut-is-withheld': {
    clauses: ['RES-2'],
    story: 'A text that reached its maximum is not finished, and therefore not told',
    choices: withholding,
  },
  'length-in-characters': {
    clauses: ['RES-1', 'STR-3'],
    story: 'The length of the answer is counted in characters and sent in bytes, which cuts its end',
    alsoBlamed: {
      'RES-4': 'the end that is cut off may hold the usage',
      'VER-2': 'the client reads streams as events of JSON',
    },
    choices: inUtf8,
    amend: changeSteps(({ completionReply }) => ({
      completionReply: (made, stream, choices) => {
        const reply = completionReply(made, stream, choices);
        return { ...reply, body: cutShort(reply.body) };
      },
    })),
  },
  'slow-chats-become-jobs': {
    clauses: ['RES-1'],
    story: 'A model that takes long is answered for by the number of a job, to be asked for later',
    amend: changeSteps(({ completionReply }) => ({
      completionReply: (made, stream, choices) => {
        const reply = completionReply(made, stream, choices);
        const isSlow = choices.takes({ id: made.model, context: 0, price: 0, vision: false }) > 0;
        return isSlow && !stream
          ? { ...reply, status: 202, body: choices.stringify({ job: made.id, state: 'queued' }) }
          : reply;
      },
    })),
  },
  'token-limit-inside-streams': {
    clauses: ['STR-4'],
    story: 'Tokens are counted once the stream has begun, and too many are told by an event',
    alsoBlamed: { 'ERR-10': 'the status went out before the refusal was known' },
    amend: changeSteps(({ answer, refusalReply }) => ({
      answer: async (call, parts) => {
        try {
          return await answer(call, parts);
        } catch (error) {
          if (!(error instanceof Refusal) || chatIn(call.body)?.['stream'] !== true) throw error;
          return toldInside(error, refusalReply(error, call, parts.choices), parts.choices);
        }
      },
    })),
  },
  'request-id-is-the-idempotency-key': {
    clauses: ['ERR-1'],
    story: 'The Idempotency-Key serves as request ID, and where there is none the ID is empty',
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
    story: 'Refusals are cached by what was sent, the request ID with them',
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
