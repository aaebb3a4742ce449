import { createHash } from 'node:crypto';
import type { Choices } from '../choices.ts';
import { Refusal } from '../refusal.ts';
import type { Reply } from '../reply.ts';
import { USUAL_CHOICES } from '../usual-choices.ts';
import { amiss, chatIn, stepping } from './amiss.ts';

const { completion, finishReasons } = USUAL_CHOICES;
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
export const ANSWER_DEFECTS = amiss({
  'text-cut-is-withheld': { choices: withholding },
  'length-in-characters': {
    choices: inUtf8,
    ...stepping(({ completionReply }) => ({
      completionReply: (made, stream, choices) => {
        const reply = completionReply(made, stream, choices);
        return { ...reply, body: cutShort(reply.body) };
      },
    })),
  },
  'slow-chats-become-jobs': stepping(({ completionReply }) => ({
    completionReply: (made, stream, choices) => {
      const reply = completionReply(made, stream, choices);
      const isSlow = choices.takes({ id: made.model, context: 0, price: 0, vision: false }) > 0;
      return isSlow && !stream
        ? { ...reply, status: 202, body: choices.stringify({ job: made.id, state: 'queued' }) }
        : reply;
    },
  })),
  'token-limit-inside-streams': stepping(({ answer, refusalReply }) => ({
    answer: async (call, parts) => {
      try {
        return await answer(call, parts);
      } catch (error) {
        if (!(error instanceof Refusal) || chatIn(call.body)?.['stream'] !== true) throw error;
        return toldInside(error, refusalReply(error, call, parts.choices), parts.choices);
      }
    },
  })),
  'request-id-is-the-idempotency-key': stepping(({ refusalReply }) => ({
    refusalReply: (refusal, call, choices) =>
      refusalReply(
        refusal,
        { ...call, requestId: String(call.request.headers['idempotency-key'] ?? '') },
        choices,
      ),
  })),
  'request-ids-wrap-around': stepping(({ refusalReply }) => ({
    refusalReply: (refusal, call, choices) =>
      refusalReply(refusal, { ...call, requestId: Number(call.requestId) % IDS }, choices),
  })),
  'refusals-from-a-cache': stepping(({ refusalReply }) => {
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
});
