import { malformedBodies, malformedBody } from '../../fixtures/malformed-bodies.ts';
import type { MalformedBody } from '../../fixtures/malformed-body.ts';
import { ENDPOINTS, HEADERS } from '../../fixtures/wire.ts';
import { chatDraft } from '../kit/provoking/chat-draft.ts';
import { check } from '../kit/check.ts';
import type { Draft } from '../kit/draft.ts';
import { smallestChat } from '../kit/provoking/smallest-chat.ts';
import { stimulus } from '../kit/stimulus.ts';
import type { Survey } from '../kit/survey.ts';
import type { Trial } from '../kit/trial.ts';
import { isServedOrRefusedInOrder } from './served-or-refused.ts';

/** Bodies that are broken, or that software stumbles over; a service may serve some of them. */
const malformed = stimulus<Trial, MalformedBody>({
  name: 'malformed-bodies',
  stage: 'paid',
  few: 14,
  inputs: (survey) => {
    const chat = smallestChat(survey);
    return { first: malformedBodies(chat), drawn: malformedBody(chat) };
  },
  send: async (body, sender, survey) => ({
    control: await sender.control(chatDraft(smallestChat(survey))),
    exchanges: [await sender.send(malformedDraft(body, survey))],
  }),
});

function malformedDraft({ body, contentType = 'application/json' }: MalformedBody, survey: Survey): Draft {
  return {
    method: 'POST',
    path: ENDPOINTS.chat,
    headers: contentType === null ? {} : { [HEADERS.contentType]: contentType },
    body,
    // Some ask for more output than there is: a service that takes them at their word would charge for it.
    ...(!survey.thrifty && { needsOutput: Infinity }),
  };
}

export const malformedBodiesSurvived = check({
  id: 'malformed-bodies-survived',
  clauses: ['ERR-11'],
  title: 'serves a malformed body, or refuses it with an error object',
  because:
    'the specification knows requests that are served and requests that are refused, and no third kind',
  given: malformed,
  holds: isServedOrRefusedInOrder,
});
