import type { JsonObject } from '../../../../fixtures/chats/chat.ts';
import { type OpenChat, openChats } from '../../../../fixtures/chats/open-chats.ts';
import type { ClauseId } from '../../../../fixtures/clauses/clauses.ts';
import type { OpenPointName } from '../../../../fixtures/clauses/open-points.ts';
import { check, type CheckDeclaration, type Judgement } from '../../model/check.ts';
import { isHungUp } from '../../model/exchange.ts';
import { HOLDS, inconclusive, observed, shownBy } from '../../model/ruling.ts';
import { type Stimulus, stimulus, type Trial } from '../../model/stimulus.ts';
import type { TargetInfo } from '../../model/target.ts';
import { describeAnswer, dispositionOf, wasServed } from '../../reading/errors/disposition.ts';
import { chatDraft, smallestChat } from './chat-drafts.ts';
import { tryAgain } from './second-try.ts';

/**
 * The exchange of an open chat; where that was not served, then those of its reasons alone, and the counterpart: the
 * smallest chat.
 */
export interface OpenTrial extends Trial {
  /** A single one in the journals of earlier releases. */
  readonly point: OpenPointName | readonly OpenPointName[];
}

interface OpenChats extends Pick<Stimulus<OpenTrial, OpenChat>, 'name' | 'inputs' | 'skipReason'> {
  /** How many a run with small caps sends; default: all. */
  readonly cappedCount?: number;
  /** How many of these are always the first; default: all. */
  readonly fixedCount?: number;
}

/** Chats that may be refused. Several stimuli share some of them, and equal ones are sent once in a run. */
export function openChatsStimulus({ cappedCount = 100, ...declared }: OpenChats): Stimulus<OpenTrial> {
  return stimulus<OpenTrial, OpenChat>({
    fixedCount: cappedCount,
    ...declared,
    cappedCount,
    // What only observes is worth few completions.
    fewestCount: 1,
    stage: 'paid',
    cost: ({ chat, alone }, info) => ({
      counterparts: [chat, ...alone, counterpartOf(chat, info)].map((each) => chatDraft(each)),
    }),
    send: async ({ chat, points: point, alone }, sender, info) => {
      const together = await sender.sendCounterpart(chatDraft(chat));
      if (isHungUp(together)) return { point, ...(await tryAgain(together, chat, sender, info)) };
      if (together.outcome.kind !== 'answered' || wasServed(together, info))
        return { point, exchanges: [together] };
      const [counterpart, ...apart] = await Promise.all(
        [counterpartOf(chat, info), ...alone].map((each) => sender.sendCounterpart(chatDraft(each))),
      );
      return { point, exchanges: [together, ...apart], ...(counterpart && { counterpart }) };
    },
  });
}

export function observesOpenChats(
  clause: ClauseId,
  declared: Pick<CheckDeclaration<OpenTrial>, 'id' | 'title'> & Pick<OpenChats, 'cappedCount'>,
) {
  const { id, title, ...counts } = declared;
  const inputs: OpenChats['inputs'] = (info) => ({ examples: openChats(smallestChat(info), clause) });
  const given = openChatsStimulus({ name: id, ...counts, inputs });
  return check({ id, clauses: [clause], title, given, holds: isServedOrRefused });
}

function counterpartOf({ model = null }: JsonObject, info: TargetInfo): JsonObject {
  return { ...smallestChat(info), model };
}

/** Judges what is not served: each reason alone where there are several, so that the simplest failure is told. */
export function ofEachAlone(judge: Judgement): Judgement<OpenTrial> {
  return ({ exchanges: [together, ...alone] }, info) => {
    if (dispositionOf(together, info) === 'served') return HOLDS;
    const rulings = [...alone, together].map((exchange, at) =>
      shownBy((at + 1) % (alone.length + 1), judge({ exchanges: [exchange] }, info)),
    );
    const broken = rulings.find(({ kind }) => kind === 'violated');
    return broken ?? rulings.find(({ kind }) => kind !== 'holds') ?? HOLDS;
  };
}

/** Observes `served` or `refused` at each open point of the trial. */
export const isServedOrRefused: Judgement<OpenTrial> = ({ point, exchanges }, info) => {
  const [together, ...alone] = exchanges;
  const shown = [point].flat().map((each, at) => {
    const exchange = alone[at] ?? together;
    return { point: each, exchange, value: dispositionOf(exchange, info) };
  });
  const seen = shown.filter(({ value }) => value === 'served' || value === 'refused');
  if (seen.length > 0) return observed(...seen.map(({ point: each, value }) => ({ point: each, value })));
  const exchange = shown[0]?.exchange ?? together;
  return inconclusive(`neither accepted nor refused: ${describeAnswer(exchange, info)}`);
};
