import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { type Cost, type Sender, type Stage, type Stimulus, stimulus } from '../kit/model/stimulus.ts';
import type { TargetInfo } from '../kit/model/target.ts';
import { chatDraft, smallestChat } from '../kit/provoking/chat-drafts.ts';
import { type ClientTrial, clientTrial, freshKey } from './tested-client.ts';

/** One call of the tested client; the counterpart is the same request without the client. */
function once(
  name: string,
  stage: Stage,
  cost: (info: TargetInfo) => Cost,
  send: Stimulus<ClientTrial>['send'],
): Stimulus<ClientTrial> {
  return stimulus<ClientTrial, 'once'>({
    name,
    stage,
    cappedCount: 1,
    inputs: () => ({ examples: ['once'] }),
    cost: (_, info) => cost(info),
    send,
  });
}

const LISTING = { method: 'GET', path: ENDPOINTS.models } as const;

export const clientModels = once(
  'client-models',
  'free',
  () => ({ reads: 1, counterparts: [LISTING] }),
  async (_, sender) => {
    const counterpart = await sender.sendCounterpart(LISTING);
    return clientTrial(sender, async (client) => all(client.models.list()), counterpart);
  },
);

export const clientCompletion = once(
  'client-completion',
  'paid',
  (info) => ({ served: 1, refused: 1, counterparts: [chatDraft(smallestChat(info))] }),
  async (_, sender, info) => {
    const chat = smallestChat(info);
    const counterpart = await sender.sendCounterpart(chatDraft(chat));
    const trial = await clientTrial(
      sender,
      async (client) => client.chat.completions.create({ ...paramsOf(chat), stream: false }, freshKey()),
      counterpart,
    );
    return withoutClient(trial, chat, sender);
  },
);

export const clientStream = once(
  'client-stream',
  'paid',
  (info) => ({ served: 1, refused: 1, counterparts: [chatDraft(streamedChat(info))] }),
  async (_, sender, info) => {
    const chat = streamedChat(info);
    const counterpart = await sender.sendCounterpart(chatDraft(chat));
    const trial = await clientTrial(
      sender,
      async (client) =>
        all(await client.chat.completions.create({ ...paramsOf(chat), stream: true }, freshKey())),
      counterpart,
    );
    return withoutClient(trial, chat, sender);
  },
);

/** A request with a field that the client supports and the specification does not. */
export const clientRefusal = once(
  'client-refusal',
  'free',
  (info) => ({ refused: 1, counterparts: [chatDraft(smallestChat(info))] }),
  async (_, sender, info) => {
    const chat = smallestChat(info);
    const counterpart = await sender.sendCounterpart(chatDraft(chat));
    return clientTrial(
      sender,
      async (client) => client.chat.completions.create({ ...paramsOf(chat), top_p: 1 }, freshKey()),
      counterpart,
    );
  },
);

/** Adds the same chat without the client where the client's was not accepted: it may be refused for coming twice. */
async function withoutClient(trial: ClientTrial, chat: ChatBody, sender: Sender): Promise<ClientTrial> {
  const [exchange] = trial.exchanges;
  const isRefused = exchange?.outcome.kind === 'answered' && exchange.outcome.answer.status >= 400;
  if (!isRefused) return trial;
  return { ...trial, exchanges: [exchange, await sender.send(chatDraft(chat))] };
}

function streamedChat(info: TargetInfo): ChatBody {
  return { ...smallestChat(info), stream: true };
}

function paramsOf({ model, messages, max_tokens }: ChatBody) {
  return { model, messages: [...messages], ...(max_tokens !== undefined && { max_tokens }) };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
