import type { JsonObject } from '../../../../fixtures/chats/chat.ts';
import type { OpenPointName } from '../../../../fixtures/clauses/open-points.ts';
import type { Judgement } from '../../model/check.ts';
import { inconclusive, observed } from '../../model/ruling.ts';
import type { Trial } from '../../model/stimulus.ts';
import type { TargetInfo } from '../../model/target.ts';
import { describeAnswer, dispositionOf } from '../../reading/errors/disposition.ts';
import { chatDraft } from './chat-drafts.ts';
import { requestStimulus } from './request-stimulus.ts';

/** A chat that faithful services may accept or refuse, and its counterpart. */
export interface OpenQuestion {
  readonly point: OpenPointName;
  readonly chat: JsonObject;
  readonly counterpart: JsonObject;
}

export interface OpenTrial extends Trial {
  readonly point: OpenPointName;
}

export interface ObservedChats {
  readonly name: string;
  /** How many a run with small caps sends; default: all. */
  readonly cappedCount?: number;
  /** The chats are counterparts of other checks too, and are sent once in a run. */
  readonly areShared?: boolean;
  readonly skipReason?: (info: TargetInfo) => string | undefined;
  readonly questions: (info: TargetInfo) => readonly OpenQuestion[];
}

/** Sends chats to observe whether they are accepted. */
export function observedChats({ areShared = false, questions, ...declared }: ObservedChats) {
  return requestStimulus(
    {
      cappedCount: 100,
      ...declared,
      stage: 'paid',
      inputs: (info) => ({ examples: questions(info) }),
      requests: ({ chat, counterpart }) => ({
        counterpart: chatDraft(counterpart),
        [areShared ? 'shared' : 'served']: [chatDraft(chat)],
      }),
    },
    ({ point }: OpenQuestion) => ({ point }),
  );
}

/** Observes `served` or `refused` at the open point of the trial. */
export const isServedOrRefused: Judgement<OpenTrial> = ({ point, exchanges: [exchange] }, info) => {
  const value = dispositionOf(exchange, info);
  if (value === 'served' || value === 'refused') return observed({ point, value });
  return inconclusive(`neither accepted nor refused: ${describeAnswer(exchange, info)}`);
};
