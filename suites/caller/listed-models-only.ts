import { HOLDS, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { numbered, violatedBy } from './rulings.ts';
import { chatOf, chatsAtService, endpointAsked, isAfter } from './seen-chats.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

const EXPECTED = 'a model ID that the models endpoint had given';

/** The service's answers that name models: those of the models endpoint, and of the vision endpoint. */
function listings({ requests }: Timeline): readonly TimelineRequest[] {
  return requests.filter((request) => {
    const endpoint = endpointAsked(request);
    const isList = endpoint === 'models' || endpoint === 'vision';
    return isList && request.place === 'service' && request.status === 200;
  });
}

/** Whatever the shape of a list, an ID in it is a JSON string. */
function names({ answer }: TimelineRequest, model: string): boolean {
  return answer.includes(JSON.stringify(model));
}

/** The refusal of this model after which nobody read the list again. */
function refusedBefore(timeline: Timeline, chat: TimelineRequest): TimelineRequest | undefined {
  const model = chatOf(chat)?.['model'];
  const told = chatsAtService(timeline).filter(
    (other) =>
      other.outcome.kind === 'refused' &&
      other.outcome.why === 'unknown-model' &&
      chatOf(other)?.['model'] === model &&
      isAfter(chat, other),
  );
  return told.find(
    (other) => !listings(timeline).some((list) => isAfter(list, other) && isAfter(chat, list)),
  );
}

function judgeChat(timeline: Timeline, chat: TimelineRequest, model: string): Ruling {
  const given = listings(timeline).some((list) => isAfter(chat, list) && names(list, model));
  if (given) {
    const refused = refusedBefore(timeline, chat);
    if (refused === undefined) return HOLDS;
    const actual = `the model of ${numbered(refused)}, which was refused, and no look at the list since`;
    return violatedBy(timeline, chat, 'refused-model', EXPECTED, actual);
  }
  const isRefused = chat.outcome.kind === 'refused' && chat.outcome.why === 'unknown-model';
  if (timeline.secretModels || isRefused)
    return violatedBy(
      timeline,
      chat,
      'unlisted-model',
      EXPECTED,
      `${JSON.stringify(model)}, which it had not`,
    );
  return notExercised('the models endpoint was not asked here: where the model ID comes from cannot be seen');
}

function judge(timeline: Timeline): Ruling {
  const rulings = chatsAtService(timeline).flatMap((chat) => {
    const model = chatOf(chat)?.['model'];
    return typeof model === 'string' ? [judgeChat(timeline, chat, model)] : [];
  });
  const worst =
    rulings.find(({ kind }) => kind === 'violated') ?? rulings.find(({ kind }) => kind === 'not-exercised');
  return worst ?? (rulings.length === 0 ? notExercised('no completion was asked for') : HOLDS);
}

export const listedModelsOnly: CallerCheck = {
  id: 'listed-models-only',
  clauses: ['CALL-5'],
  title: 'uses model IDs that the models endpoint gave, and looks again when one is refused',
  judge,
};
