import type { Choices, Model } from '../second-service/choices.ts';
import { OWN_CHOICES } from '../second-service/own-choices.ts';
import { Refusal } from '../second-service/reply.ts';
import { type SecondDefects, rewriteChat, changeSteps } from './second-defect.ts';

const { models: OWN, secondModels: OTHERS, modelList } = OWN_CHOICES;
const PAGE = 3;

/** Compares like `LIKE`: `%` is any text, and `_` any character. */
function isLike(pattern: string, text: string): boolean {
  const escaped = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'su').test(text);
}

const allWithVision = (models: readonly Model[]): readonly Model[] => {
  const vision = models.some((model) => model.vision);
  return models.map((model) => Object.assign({}, model, { vision }));
};

const onPages: Partial<Choices> = {
  models: [...new Set([...OWN, ...OTHERS])],
  modelList: (models) => modelList(models.slice(0, PAGE)),
};

/** Models and their vision, listed in one way and served in another. */
export const SECOND_MODEL_DEFECTS = {
  'models-on-pages': {
    clauses: ['MOD-2'],
    story: 'The list shows its first page only, and models of later pages are served too',
    choices: onPages,
  },
  'model-is-a-pattern': {
    clauses: ['SVC-7', 'ERR-3'],
    story: 'Models are looked up with LIKE, and the name is the pattern',
    amend: rewriteChat((chat, models) => {
      const { model } = chat;
      if (typeof model !== 'string' || model.length > 100) return chat;
      const found = models.find(({ id }) => isLike(model, id));
      return found === undefined ? chat : { ...chat, model: found.id };
    }),
  },
  'vision-is-of-the-key': {
    clauses: ['MSG-4'],
    story: 'Vision is enabled for all models of a key that has one model with vision',
    amend: changeSteps(({ readChat }) => ({
      readChat: (body, models, choices) => readChat(body, allWithVision(models), choices),
    })),
  },
  'no-vision-is-not-found': {
    clauses: ['VIS-1'],
    story: 'A key without a vision model has no row in a table, and a missing row is an error',
    amend: changeSteps(({ answer, callerOf }) => ({
      answer: async (call, parts) => {
        const reply = await answer(call, parts);
        if (call.path !== '/v1/vision-capabilities') return reply;
        if (callerOf(call, parts).models.some(({ vision }) => vision)) return reply;
        throw new Refusal('no_such_model', 'no model of this key has vision');
      },
    })),
  },
} satisfies SecondDefects;
