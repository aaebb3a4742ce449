import type {
  CONTEXTS,
  MODEL_FACTS,
  MODEL_LISTS,
  MODEL_NUMBERS,
  VISION_ANSWERS,
} from './sentences/model-variants.ts';
import type { Choices, Listed, Model } from '../second-service/choices.ts';
import { CONVENTIONAL_CHOICES } from '../second-service/conventional-choices.ts';
import type { Json } from '../second-service/json.ts';

type ChoicesOf<T> = Readonly<Record<keyof T, Partial<Choices>>>;

const listed = (modelList: (models: readonly Listed[]) => Json): Partial<Choices> => ({ modelList });
const told = (vision: (models: readonly Model[]) => Json): Partial<Choices> => ({ vision });
/** The first one, and the others: no list is known by the name of its group. */
const grouped = ([first = null, ...others]: readonly Json[]): Json => ({ west: others, north: [first] });
const idsWith = (vision: boolean, models: readonly Model[]): string[] =>
  models.filter((model) => model.vision === vision).map(({ id }) => id);

export const MODEL_LIST_CHOICES: ChoicesOf<typeof MODEL_LISTS> = {
  'models-under-models': listed((models) => ({ models: models.map(({ id, facts }) => ({ id, ...facts })) })),
  'models-in-a-bare-list': listed((models) => models.map(({ id, facts }) => ({ id, ...facts }))),
  'models-as-texts': listed((models) => ({ data: models.map(({ id }) => id), count: models.length })),
  'models-by-id': listed((models) => ({
    models: Object.fromEntries(models.map(({ id, facts }) => [id, { available: true, ...facts }])),
  })),
  'models-in-groups': listed((models) => ({
    data: grouped(models.map(({ id, facts }) => ({ id, ...facts }))),
  })),
  'models-in-groups-of-texts': listed((models) => grouped(models.map(({ id }) => id))),
  'models-in-an-envelope': listed((models) => ({
    code: 0,
    message: 'success',
    data: { total: models.length, items: models.map(({ id, facts }) => ({ modelId: id, ...facts })) },
  })),
  'models-by-slug': listed((models) => ({
    data: models.map(({ id, facts }) => ({ name: `The ${id.toUpperCase()}`, slug: id, ...facts })),
  })),
  'models-by-model-id': listed((models) => ({
    data: models.map(({ id, facts }) => ({
      id: `mdl_${Buffer.from(id).toString('hex')}`,
      model_id: id,
      ...facts,
    })),
  })),
  'models-by-another-word': listed((models) => ({
    data: models.map(({ id, facts }) => ({ id: Buffer.from(id).toString('base64url'), vogel: id, ...facts })),
  })),
  'models-by-number': listed((models) => ({
    data: models.map(({ id, facts }, index) => ({
      id: index + 1,
      name: id,
      title: `Model ${index + 1}`,
      ...facts,
    })),
  })),
};

export const MODEL_FACT_CHOICES: ChoicesOf<typeof MODEL_FACTS> = {
  'nothing-told-of-models': { modelFacts: () => ({}) },
  'use-told-of-models': {
    modelFacts: ({ context, price }) => ({
      total_tokens: context - 300,
      limits: { token_limit: context - 300, tokens_per_minute: context - 300 },
      price,
    }),
  },
  'quotas-told-of-models': {
    modelFacts: ({ context, price }) => ({
      limits: { requests: 60, total_tokens: context - 300, window: '1m' },
      price,
    }),
  },
  'contexts-in-kibitokens': {
    modelFacts: ({ context, price }) => ({ context: { max: context / 1024, unit: 'kibitokens' }, price }),
  },
  'limits-in-an-object': {
    modelFacts: ({ context, price }) => ({
      limits: { context, images: null },
      pricing: { prompt: `0.00000${price}`, completion: `0.00000${price}`, unit: 'token' },
    }),
  },
  'many-facts-of-models': {
    modelFacts: ({ id, context }) => ({
      created: 1_790_000_000,
      owned_by: 'birds',
      context_length: context,
      aliases: [`${id}-latest`],
      tags: ['chat'],
      permission: [{ id: `may-${id}`, allow_sampling: true }],
    }),
  },
};

const [FIRST, ...OTHERS] = CONVENTIONAL_CHOICES.models;
const HUNDREDS = Array.from({ length: 497 }, (_, index): Model => ({
  id: `tern-${index}`,
  context: 1024 + index,
  price: 5 + index,
  vision: index % 3 === 0,
}));
const everywhere = (vision: boolean) => (model: Model) => Object.assign({}, model, { vision });

/** A second key that uses other models than the first, where there are any. */
function numbered(models: readonly (Model | undefined)[]): Partial<Choices> {
  return { models: models.filter((model) => model !== undefined) };
}

export const MODEL_NUMBER_CHOICES: ChoicesOf<typeof MODEL_NUMBERS> = {
  'one-model': numbered([FIRST]),
  'one-model-with-vision': numbered(OTHERS.filter(({ vision }) => vision)),
  'five-hundred-models': numbered([...CONVENTIONAL_CHOICES.models, ...HUNDREDS]),
  'vision-everywhere': numbered(CONVENTIONAL_CHOICES.models.map(everywhere(true))),
  'vision-nowhere': numbered(CONVENTIONAL_CHOICES.models.map(everywhere(false))),
};

export const CONTEXT_CHOICES: ChoicesOf<typeof CONTEXTS> = {
  'smallest-contexts': { contextOf: ({ context }) => 320 + context / 4 },
  'largest-contexts': { contextOf: ({ context }) => context * 10_000 },
};

export const VISION_CHOICES: ChoicesOf<typeof VISION_ANSWERS> = {
  'vision-by-id': told((models) => Object.fromEntries(models.map(({ id, vision }) => [id, vision]))),
  'vision-as-ids': told((models) => ({ vision_models: idsWith(true, models) })),
  'vision-as-one-flag': told((models) => ({ vision: models.some(({ vision }) => vision) })),
  'vision-with-exceptions': told((models) => ({
    image_input: models.some(({ vision }) => vision),
    exceptions: models.some(({ vision }) => vision) ? idsWith(false, models) : [],
  })),
  'vision-as-modalities': told((models) => ({
    data: models.map(({ id, vision }) => ({ id, input_modalities: vision ? ['text', 'image'] : ['text'] })),
  })),
  'vision-as-two-lists': told((models) => ({
    unsupported: idsWith(false, models),
    supported: idsWith(true, models),
  })),
  'vision-as-nested-flags': told((models) => ({
    data: { capabilities: models.map(({ id, vision }) => ({ model: id, image_input: { enabled: vision } })) },
  })),
  'vision-in-words': told((models) => `Some of ${models.length} models may see.`),
};
