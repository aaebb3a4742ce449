import type { OpenAI } from 'tested-client';
import { type ChatBody, ENDPOINTS } from '../../fixtures/chats/chat.ts';
import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { type Draft, isChargeable } from '../engine/model/exchange.ts';
import { type Stage, type Stimulus, stimulus } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { type ClientTrial, clientTrial, freshKey } from './tested-client.ts';

interface ClientCall {
  readonly name: string;
  readonly stage: Stage;
  /** The same request without the client. */
  readonly counterpart: (info: TargetInfo) => Draft;
  readonly use: (client: OpenAI, info: TargetInfo) => Promise<unknown>;
  /** Present: what was not accepted of the client is sent again without it, since it may be refused for coming twice. */
  readonly again?: true;
}

/** One call of the tested client. */
function clientCall({ name, stage, counterpart, use, again }: ClientCall): Stimulus<ClientTrial> {
  return stimulus<ClientTrial, 'once'>({
    name,
    stage,
    cappedCount: 1,
    inputs: () => ({ examples: ['once'] }),
    cost: (_, info) => ({
      [isChargeable(counterpart(info)) ? 'refused' : 'reads']: 1,
      ...(again && { served: 1 }),
      counterparts: [counterpart(info)],
    }),
    send: async (_, sender, info) => {
      const accepted = await sender.sendCounterpart(counterpart(info));
      const trial = await clientTrial(sender, (client) => use(client, info), accepted);
      const [exchange] = trial.exchanges;
      const isRefused = exchange?.outcome.kind === 'answered' && exchange.outcome.answer.status >= 400;
      if (again === undefined || !isRefused) return trial;
      return { ...trial, exchanges: [exchange, await sender.send(counterpart(info))] };
    },
  });
}

export const clientModels = clientCall({
  name: 'client-models',
  stage: 'free',
  counterpart: () => ({ method: 'GET', path: ENDPOINTS.models }),
  use: async (client) => all(client.models.list()),
});

export const clientCompletion = clientCall({
  name: 'client-completion',
  stage: 'paid',
  counterpart: (info) => chatDraft(smallestChat(info)),
  use: async ({ chat }, info) => chat.completions.create({ ...paramsOf(info), stream: false }, freshKey()),
  again: true,
});

export const clientStream = clientCall({
  name: 'client-stream',
  stage: 'paid',
  counterpart: (info) => chatDraft({ ...smallestChat(info), stream: true }),
  use: async ({ chat }, info) =>
    all(await chat.completions.create({ ...paramsOf(info), stream: true }, freshKey())),
  again: true,
});

/** A request with a field that the client supports and the specification does not. */
export const clientRefusal = clientCall({
  name: 'client-refusal',
  stage: 'free',
  counterpart: (info) => chatDraft(smallestChat(info)),
  use: async ({ chat }, info) => chat.completions.create({ ...paramsOf(info), top_p: 1 }, freshKey()),
});

function paramsOf(info: TargetInfo) {
  const { model, messages, max_tokens }: ChatBody = smallestChat(info);
  return { model, messages: [...messages], ...(max_tokens !== undefined && { max_tokens }) };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
