import { chatDraft } from '../kit/provoking/chat-drafts.ts';
import { check, type Judgement } from '../kit/model/check.ts';
import { listedModels, type KeyedModel, withKey } from '../kit/provoking/listed-models.ts';
import { HOLDS, type Ruling } from '../kit/model/ruling.ts';
import { stimulus } from '../kit/model/stimulus.ts';
import type { Survey } from '../kit/model/target-info.ts';
import type { Trial } from '../kit/model/trial.ts';
import { isWithinMaxTokens } from './output-within-max-tokens.ts';

const LONG_TASK = 'Count from one to two hundred in words, one number a line.';

/**
 * A task that takes hundreds of tokens, with max_tokens 1, whole and streamed: of so little even a text tells
 * whether the maximum was kept, whatever usage says. A service may have a larger minimum, and refuse it (REQ-8).
 */
const oneToken = stimulus<Trial, KeyedModel>({
  name: 'one-token',
  stage: 'paid',
  few: 1,
  steady: 0,
  inputs: (survey) => ({ first: askedModels(survey) }),
  cost: () => ({ served: 2 }),
  send: async (listed, sender) => {
    const { model } = listed;
    const chat = { model, messages: [{ role: 'user', content: LONG_TASK }], max_tokens: 1 };
    return {
      exchanges: [
        await sender.send(chatDraft(chat, withKey(listed))),
        await sender.send(chatDraft({ ...chat, stream: true }, withKey(listed))),
      ],
    };
  },
});

/** Each of them; where every completion counts, one of those that are asked for little else. */
function askedModels(survey: Survey): readonly KeyedModel[] {
  const all = listedModels(survey);
  if (!survey.thrifty) return all;
  const others = all.filter(({ model, key }) => key === 'primary' && model !== survey.models[0].id);
  return others.length > 0 ? others : all.slice(0, 1);
}

const bothWithinMaxTokens: Judgement = ({ exchanges: [whole, streamed] }, survey) => {
  const ofWhole = isWithinMaxTokens({ exchanges: whole ? [whole] : [] }, survey);
  if (ofWhole.kind === 'violated' || streamed === undefined) return ofWhole;
  const ofStream = isWithinMaxTokens({ exchanges: [streamed] }, survey);
  if (ofStream.kind === 'violated') return ofSecond(ofStream);
  return ofWhole.kind === 'holds' ? HOLDS : ofStream;
};

function ofSecond(ruling: Extract<Ruling, { kind: 'violated' }>): Ruling {
  return { ...ruling, finding: { ...ruling.finding, exchange: 1 } };
}

export const outputWithinOneToken = check({
  id: 'output-within-one-token',
  clauses: ['REQ-9'],
  title: 'generates a single token where max_tokens is 1, however long the task',
  given: oneToken,
  holds: bothWithinMaxTokens,
});
