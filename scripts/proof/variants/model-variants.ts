import {
  type Choices,
  CONVENTION,
  type Json,
  type ListedModel,
  type Model,
} from '../second-service/convention.ts';
import { UNREAD_BY_CLIENT, type Variants, variantsOf } from './variant.ts';

/** The first one, and the others: no list is known by the name of its group. */
const grouped = ([first = null, ...others]: readonly Json[]): Json => ({ west: others, north: [first] });

const inData =
  (entry: (model: ListedModel, index: number) => Json): Choices['modelList'] =>
  (models) => ({ data: models.map(entry) });

const flat = ({ id, facts }: ListedModel) => ({ id, ...facts });

const { models: MODELS } = CONVENTION;

const HUNDREDS = Array.from({ length: 497 }, (_, index): Model => ({
  id: `tern-${index}`,
  context: 1024 + index,
  price: 5 + index,
  vision: index % 3 === 0,
}));

/** The models of the convention, each with something else. */
const withEach = (change: (model: Model) => Partial<Model>): readonly Model[] =>
  MODELS.map((model) => Object.assign({}, model, change(model)));

export const MODEL_VARIANTS: Variants = {
  // The list of models
  ...variantsOf(
    'modelList',
    {
      'models-by-id': (models) => ({
        models: Object.fromEntries(models.map(({ id, facts }) => [id, { available: true, ...facts }])),
      }),
      'models-by-model-id': inData(({ id, facts }) => ({
        id: `mdl_${Buffer.from(id).toString('hex')}`,
        model_id: id,
        ...facts,
      })),
    },
    UNREAD_BY_CLIENT,
  ),
  'models-as-texts': {
    ...UNREAD_BY_CLIENT,
    unreadable: ['LIM-2'],
    modelList: (models) => ({ data: models.map(({ id }) => id), count: models.length }),
  },
  'models-in-groups': {
    profile: { model: 'skua' },
    unreadable: ['MSG-3', 'MSG-4', 'MOD-1', 'MOD-3', 'LIM-2'],
    untestable: ['MOD-2', 'VER-2'],
    modelList: (models) => ({ data: grouped(models.map(flat)) }),
  },
  'models-in-an-envelope': {
    ...UNREAD_BY_CLIENT,
    profile: { pins: { 'models.list': '/data/items' } },
    modelList: (models) => ({
      code: 0,
      message: 'success',
      data: { total: models.length, items: models.map(({ id, facts }) => ({ modelId: id, ...facts })) },
    }),
  },

  // What it tells of each model
  ...variantsOf(
    'modelFacts',
    {
      'nothing-told-of-models': () => ({}),
      'quotas-told-of-models': ({ context, price }) => ({
        limits: { requests: 60, total_tokens: context - 300, window: '1m' },
        price,
      }),
    },
    { unreadable: ['LIM-2'] },
  ),
  ...variantsOf('modelFacts', {
    'limits-in-an-object': ({ context, price }) => ({
      limits: { context, images: null },
      pricing: { prompt: `0.00000${price}`, completion: `0.00000${price}`, unit: 'token' },
    }),
  }),

  // Which models there are
  'one-model': { untestable: ['MSG-3', 'LIM-2'], models: MODELS.slice(0, 1) },
  'one-model-with-vision': { untestable: ['MSG-4', 'LIM-2'], models: MODELS.filter(({ vision }) => vision) },
  'vision-everywhere': { untestable: ['MSG-4'], models: withEach(() => ({ vision: true })) },
  'vision-nowhere': { untestable: ['MSG-3'], models: withEach(() => ({ vision: false })) },
  ...variantsOf('models', {
    'five-hundred-models': [...MODELS, ...HUNDREDS],
    'smallest-contexts': withEach(({ context }) => ({ context: 320 + context / 4 })),
    'largest-contexts': withEach(({ context }) => ({ context: context * 10_000 })),
  }),
  'odd-model-ids': {
    models: withEach(({ id }) => ({ id: `birds/Möwe:${id}_2.1@vision` })),
    latencyMs: ({ id }) => (id.includes('skua') ? 80 : 0),
  },

  // Vision
  'vision-in-words': {
    unreadable: ['SVC-3', 'VIS-3'],
    vision: (models) => `Some of ${models.length} models may see.`,
  },
};
