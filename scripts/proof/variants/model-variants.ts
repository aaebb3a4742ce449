import type { Choices, Json, ListedModel, Model } from '../second-service/choices.ts';
import { CONVENTIONAL_CHOICES } from '../second-service/conventional-choices.ts';
import { variant, type Variants } from './variant.ts';

/** The first one, and the others: no list is known by the name of its group. */
const grouped = ([first = null, ...others]: readonly Json[]): Json => ({ west: others, north: [first] });

const idsWith = (vision: boolean, models: readonly Model[]): string[] =>
  models.filter((model) => model.vision === vision).map(({ id }) => id);

const inData =
  (entry: (model: ListedModel, index: number) => Json): Choices['modelList'] =>
  (models) => ({ data: models.map(entry) });

const encoded = (id: string, as: 'hex' | 'base64url'): string => Buffer.from(id).toString(as);

export const MODEL_LISTS = {
  'models-under-models': variant('lists its models under models', {
    untestable: ['VER-2'],
    modelList: (models) => ({ models: models.map(({ id, facts }) => ({ id, ...facts })) }),
  }),
  'models-in-a-bare-list': variant('returns the bare list of its models', {
    untestable: ['VER-2'],
    modelList: (models) => models.map(({ id, facts }) => ({ id, ...facts })),
  }),
  'models-as-texts': variant('lists the IDs of its models as strings', {
    untestable: ['VER-2'],
    unreadable: ['LIM-2'],
    modelList: (models) => ({ data: models.map(({ id }) => id), count: models.length }),
  }),
  'models-by-id': variant('returns an object of models by ID', {
    untestable: ['VER-2'],
    modelList: (models) => ({
      models: Object.fromEntries(models.map(({ id, facts }) => [id, { available: true, ...facts }])),
    }),
  }),
  'models-in-groups': variant('groups its models by provider', {
    untestable: ['VER-2'],
    modelList: (models) => ({ data: grouped(models.map(({ id, facts }) => ({ id, ...facts }))) }),
  }),
  'models-in-groups-of-texts': variant('groups the IDs of its models by tier, as strings', {
    untestable: ['VER-2'],
    unreadable: ['LIM-2'],
    modelList: (models) => grouped(models.map(({ id }) => id)),
  }),
  'models-in-an-envelope': variant('lists its models two levels down, by modelId, beside a total', {
    untestable: ['VER-2'],
    modelList: (models) => ({
      code: 0,
      message: 'success',
      data: { total: models.length, items: models.map(({ id, facts }) => ({ modelId: id, ...facts })) },
    }),
  }),
  'models-by-slug': variant('puts a display name in name, and the model ID in slug', {
    untestable: ['VER-2'],
    modelList: inData(({ id, facts }) => ({ name: `The ${id.toUpperCase()}`, slug: id, ...facts })),
  }),
  'models-by-model-id': variant('puts a record ID in id, and the model ID in model_id', {
    untestable: ['VER-2'],
    modelList: inData(({ id, facts }) => ({ id: `mdl_${encoded(id, 'hex')}`, model_id: id, ...facts })),
  }),
  'models-by-another-word': variant('puts a record ID in id, and the model ID under an unusual name', {
    untestable: ['VER-2'],
    modelList: inData(({ id, facts }) => ({ id: encoded(id, 'base64url'), vogel: id, ...facts })),
  }),
  'models-by-number': variant('puts a number in id, and the model ID in name', {
    untestable: ['VER-2'],
    modelList: inData(({ id, facts }, at) => ({ id: at + 1, name: id, title: `Model ${at + 1}`, ...facts })),
  }),
} satisfies Variants;

export const MODEL_FACTS = {
  'nothing-told-of-models': variant('returns nothing about its models but their IDs', {
    clause: 'LIM-5',
    unreadable: ['LIM-2'],
    modelFacts: () => ({}),
  }),
  'use-told-of-models': variant('returns tokens used and tokens per minute, but no context size', {
    unreadable: ['LIM-2'],
    modelFacts: ({ context, price }) => ({
      total_tokens: context - 300,
      limits: { token_limit: context - 300, tokens_per_minute: context - 300 },
      price,
    }),
  }),
  'quotas-told-of-models': variant('returns requests and tokens per minute as limits, but no context size', {
    unreadable: ['LIM-2'],
    modelFacts: ({ context, price }) => ({
      limits: { requests: 60, total_tokens: context - 300, window: '1m' },
      price,
    }),
  }),
  'contexts-in-kibitokens': variant('returns context sizes in a unit other than tokens', {
    unreadable: ['LIM-2'],
    modelFacts: ({ context, price }) => ({ context: { max: context / 1024, unit: 'kibitokens' }, price }),
  }),
  'limits-in-an-object': variant('returns context sizes among other limits, and prices as strings', {
    modelFacts: ({ context, price }) => ({
      limits: { context, images: null },
      pricing: { prompt: `0.00000${price}`, completion: `0.00000${price}`, unit: 'token' },
    }),
  }),
  'many-facts-of-models': variant('returns aliases, tags, owners and permissions of its models', {
    modelFacts: ({ id, context }) => ({
      created: 1_790_000_000,
      owned_by: 'birds',
      context_length: context,
      aliases: [`${id}-latest`],
      tags: ['chat'],
      permission: [{ id: `may-${id}`, allow_sampling: true }],
    }),
  }),
} satisfies Variants;

const { models: MODELS } = CONVENTIONAL_CHOICES;

const HUNDREDS = Array.from({ length: 497 }, (_, index): Model => ({
  id: `tern-${index}`,
  context: 1024 + index,
  price: 5 + index,
  vision: index % 3 === 0,
}));

const everywhere = (vision: boolean) => (model: Model) => Object.assign({}, model, { vision });

export const MODEL_NUMBERS = {
  'one-model': variant('has one model, without vision', {
    untestable: ['MSG-3', 'LIM-2'],
    models: MODELS.slice(0, 1),
  }),
  'one-model-with-vision': variant('has one model, with vision', {
    untestable: ['MSG-4', 'LIM-2'],
    models: MODELS.filter(({ vision }) => vision),
  }),
  'five-hundred-models': variant('has five hundred models', { models: [...MODELS, ...HUNDREDS] }),
  'vision-everywhere': variant('has vision in every model', {
    clause: 'VIS-3',
    untestable: ['MSG-4'],
    models: MODELS.map(everywhere(true)),
  }),
  'vision-nowhere': variant('has vision in no model', {
    clause: 'VIS-3',
    untestable: ['MSG-3'],
    models: MODELS.map(everywhere(false)),
  }),
} satisfies Variants;

export const CONTEXTS = {
  'smallest-contexts': variant('has contexts from 576 tokens', {
    contextOf: ({ context }) => 320 + context / 4,
  }),
  'largest-contexts': variant('has contexts from ten million tokens', {
    contextOf: ({ context }) => context * 10_000,
  }),
} satisfies Variants;

export const VISION_ANSWERS = {
  'vision-by-id': variant('returns vision as an object of flags by model ID', {
    vision: (models) => Object.fromEntries(models.map(({ id, vision }) => [id, vision])),
  }),
  'vision-as-ids': variant('lists the IDs of the models with vision only', {
    vision: (models) => ({ vision_models: idsWith(true, models) }),
  }),
  'vision-as-one-flag': variant('returns one flag: whether any model has vision', {
    unreadable: ['MSG-3', 'MSG-4'],
    vision: (models) => ({ vision: models.some(({ vision }) => vision) }),
  }),
  'vision-with-exceptions': variant('returns one vision flag, and the models that are exceptions', {
    unreadable: ['MSG-3', 'MSG-4'],
    vision: (models) => ({
      image_input: models.some(({ vision }) => vision),
      exceptions: models.some(({ vision }) => vision) ? idsWith(false, models) : [],
    }),
  }),
  'vision-as-modalities': variant('returns the input modalities of each model', {
    vision: (models) => ({
      data: models.map(({ id, vision }) => ({ id, input_modalities: vision ? ['text', 'image'] : ['text'] })),
    }),
  }),
  'vision-as-two-lists': variant('returns two lists: the models that support images, and those that do not', {
    vision: (models) => ({ unsupported: idsWith(false, models), supported: idsWith(true, models) }),
  }),
  'vision-as-nested-flags': variant('returns a nested flag for each model', {
    vision: (models) => ({
      data: {
        capabilities: models.map(({ id, vision }) => ({ model: id, image_input: { enabled: vision } })),
      },
    }),
  }),
  'vision-in-words': variant('returns a sentence about vision', {
    unreadable: ['SVC-3', 'MSG-3', 'MSG-4', 'VIS-3'],
    vision: (models) => `Some of ${models.length} models may see.`,
  }),
} satisfies Variants;
