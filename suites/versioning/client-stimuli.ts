import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { chatDraft, smallestChat } from '../kit/provoking/chat-drafts.ts';
import type { Cost } from '../kit/model/cost.ts';
import { type Stage, type Stimulus, stimulus } from '../kit/model/stimulus.ts';
import type { Survey } from '../kit/model/target-info.ts';
import { type ClientTrial, clientTrial, freshKey, lacksTestedClient } from './tested-client.ts';

/** One thing that the tested client is made to do; the control is the same request without the client. */
function once(
  name: string,
  stage: Stage,
  cost: (survey: Survey) => Cost,
  send: Stimulus<ClientTrial>['send'],
): Stimulus<ClientTrial> {
  return stimulus<ClientTrial, 'once'>({
    name,
    stage,
    few: 1,
    lacks: lacksTestedClient,
    inputs: () => ({ first: ['once'] }),
    cost: (_, survey) => cost(survey),
    send,
  });
}

const LISTING = { method: 'GET', path: ENDPOINTS.models } as const;

export const clientModels = once(
  'client-models',
  'free',
  () => ({ reads: 1, twins: [LISTING] }),
  async (_, sender) => {
    const control = await sender.control(LISTING);
    return clientTrial(sender, async (client) => all(client.models.list()), control);
  },
);

export const clientCompletion = once(
  'client-completion',
  'paid',
  (survey) => ({ served: 1, twins: [chatDraft(smallestChat(survey))] }),
  async (_, sender, survey) => {
    const chat = smallestChat(survey);
    const control = await sender.control(chatDraft(chat));
    return clientTrial(
      sender,
      async (client) => client.chat.completions.create({ ...paramsOf(chat), stream: false }, freshKey()),
      control,
    );
  },
);

export const clientStream = once(
  'client-stream',
  'paid',
  (survey) => ({ served: 1, twins: [chatDraft(streamedChat(survey))] }),
  async (_, sender, survey) => {
    const chat = streamedChat(survey);
    const control = await sender.control(chatDraft(chat));
    return clientTrial(
      sender,
      async (client) =>
        all(await client.chat.completions.create({ ...paramsOf(chat), stream: true }, freshKey())),
      control,
    );
  },
);

/** With a field that the client knows and the specification does not. */
export const clientRefusal = once(
  'client-refusal',
  'free',
  (survey) => ({ refused: 1, twins: [chatDraft(smallestChat(survey))] }),
  async (_, sender, survey) => {
    const chat = smallestChat(survey);
    const control = await sender.control(chatDraft(chat));
    return clientTrial(
      sender,
      async (client) => client.chat.completions.create({ ...paramsOf(chat), top_p: 1 }, freshKey()),
      control,
    );
  },
);

function streamedChat(survey: Survey): ChatBody {
  return { ...smallestChat(survey), stream: true };
}

function paramsOf({ model, messages, max_tokens }: ChatBody) {
  return { model, messages: [...messages], ...(max_tokens !== undefined && { max_tokens }) };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
