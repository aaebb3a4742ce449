import type { Choices, Model } from '../choices.ts';
import { Refusal } from '../refusal.ts';
import { USUAL_CHOICES } from '../usual-choices.ts';
import { amiss, misreading, stepping } from './amiss.ts';

const { models: OWN, secondModels: OTHERS, modelList } = USUAL_CHOICES;
const PAGE = 3;

/** As `LIKE` compares: `%` is any text, and `_` any character. */
function isLike(pattern: string, text: string): boolean {
  const escaped = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'su').test(text);
}

const allSeeing = (models: readonly Model[]): readonly Model[] => {
  const vision = models.some((model) => model.vision);
  return models.map((model) => Object.assign({}, model, { vision }));
};

const onPages: Partial<Choices> = {
  models: [...new Set([...OWN, ...OTHERS])],
  modelList: (models) => modelList(models.slice(0, PAGE)),
};

/** Models that a key may use, or that see, and are not told so; and the other way about. */
export const MODEL_DEFECTS = amiss({
  'models-on-pages': { choices: onPages },
  'model-is-a-pattern': misreading((chat, models) => {
    const { model } = chat;
    if (typeof model !== 'string' || model.length > 100) return chat;
    const found = models.find(({ id }) => isLike(model, id));
    return found === undefined ? chat : { ...chat, model: found.id };
  }),
  'vision-is-of-the-key': stepping(({ readChat }) => ({
    readChat: (body, models, choices) => readChat(body, allSeeing(models), choices),
  })),
  'no-vision-is-not-found': stepping(({ answer, callerOf }) => ({
    answer: async (call, parts) => {
      const reply = await answer(call, parts);
      if (call.path !== '/v1/vision-capabilities') return reply;
      if (callerOf(call, parts).models.some(({ vision }) => vision)) return reply;
      throw new Refusal('no_such_model', 'no model of this key has vision');
    },
  })),
});
