import type { ChatBody, JsonObject } from '../../fixtures/chats/chat.ts';
import { fewChats } from '../../fixtures/chats/accepted-chats.ts';
import { unknownFieldsFirst } from '../../fixtures/invalid/unknown-fields.ts';
import { unlistedModelsFirst } from '../../fixtures/invalid/unlisted-models.ts';
import type { Variation } from '../../fixtures/chats/variation.ts';
import { wrongContentFirst } from '../../fixtures/invalid/wrong-content.ts';
import { wrongMaxTokensFirst } from '../../fixtures/invalid/wrong-max-tokens.ts';
import { wrongMessagesFirst } from '../../fixtures/invalid/wrong-messages.ts';
import { wrongModelFirst } from '../../fixtures/invalid/wrong-model.ts';
import { wrongRoleFirst } from '../../fixtures/invalid/wrong-role.ts';
import { wrongTemperatureFirst } from '../../fixtures/invalid/wrong-temperature.ts';
import type { Draft } from '../kit/model/draft.ts';
import { chatDraft, chatSettings } from '../kit/provoking/chat-drafts.ts';
import { stimulus } from '../kit/model/stimulus.ts';
import type { Survey } from '../kit/model/target-info.ts';
import type { Trial } from '../kit/model/trial.ts';

/**
 * A refused chat, first without `stream` and then with `stream` true: the second exchange differs from the
 * first in that alone. The control is the accepted twin of the first, and the third exchange that of the second.
 */
export const refusedStreams = stimulus<Trial, Variation<JsonObject>>({
  name: 'refused-streams',
  stage: 'free',
  few: 7,
  // What is wrong with a field, with the model, with the messages and with their roles.
  steady: 5,
  inputs: (survey) => ({ first: variations(survey) }),
  // One of the mistakes is a max_tokens that bounds nothing.
  cost: ({ control }) => ({ refused: 2, open: 2, twins: [chatDraft(control), streamedTwin(control)] }),
  send: async ({ control, mutant }, sender) => ({
    control: await sender.control(chatDraft(control)),
    exchanges: [
      await sender.send(chatDraft(mutant)),
      await sender.send(chatDraft({ ...mutant, stream: true })),
      await sender.control(streamedTwin(control)),
    ],
  }),
});

function streamedTwin(control: JsonObject): Draft {
  return chatDraft({ ...control, stream: true });
}

/** One of each family of mistakes, then more of each. */
function variations(survey: Survey): readonly Variation<JsonObject>[] {
  const [base, ...more] = fewChats(chatSettings(survey)).filter(({ stream }) => stream === undefined);
  // Each chat has a twin that streams: where every completion counts, all are wrong in the same one.
  const others = survey.thrifty ? [] : more;
  if (base === undefined) return [];
  const families = familiesOf(base, others, survey);
  return [0, 1, 2, 3].flatMap((place) => families.flatMap((family) => family[place] ?? []));
}

function familiesOf(
  base: ChatBody,
  others: readonly ChatBody[],
  survey: Survey,
): readonly (readonly Variation[])[] {
  const listed = survey.models.map(({ id }) => id);
  return [
    unknownFieldsFirst(base, others),
    unlistedModelsFirst(base, others, listed),
    wrongModelFirst(base, others),
    wrongMessagesFirst(base, others),
    wrongRoleFirst(base, others),
    wrongTemperatureFirst(base, others),
    wrongMaxTokensFirst(base, others),
    wrongContentFirst(base, others),
  ];
}
