import type { MODEL_DEFECTS } from './model-defects.ts';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import type { Answer } from '../protocol/answer.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import type { Breaches } from './breaches.ts';
import { changing, type Fields, isFields, without } from './fields.ts';
import { misreads, misreadsField } from './misreads.ts';
import { misspells, misspellsErrors, withJson, withText } from './misspells.ts';
import { perService } from './per-service.ts';
import { refusesChats } from './refuses.ts';

const DEFAULT = 'compact-1';
const LISTED = ['compact-1', 'standard-1', 'vista-1', 'steady-1'];
const RESERVE = 'reserve-1';
const DORMANT = 'dormant-1';

/** Takes a model ID for another one. */
function misreadsModel(take: (id: string) => string): DefectHooks {
  return misreadsField('model', (model) => (typeof model === 'string' ? take(model) : model));
}

const isUnknown = (model: unknown): boolean =>
  typeof model === 'string' && ![...LISTED, RESERVE, DORMANT].includes(model);

function isList({ status }: Answer, { url }: ReceivedRequest): boolean {
  return status === 200 && url === `/v1${ENDPOINTS.models}`;
}

/** Lists other records than it ought to. */
function mislists(change: (records: readonly unknown[]) => readonly unknown[]): DefectHooks {
  return misspells(isList, (answer) =>
    withJson(answer, (body) => changing(body, 'data', (list) => (Array.isArray(list) ? change(list) : list))),
  );
}

function remembersFirstList(): DefectHooks {
  const lists = perService(() => new Map<'first', Answer>());
  return {
    onResponse: (answer, request, service) => {
      if (!isList(answer, request)) return answer;
      const memory = lists(service);
      const first = memory.get('first') ?? answer;
      memory.set('first', first);
      return { ...answer, body: first.body };
    },
  };
}

function losesSecondList(): DefectHooks {
  const keys = perService(() => new Set<string | undefined>());
  return {
    onRequest: (exchange, serve, service) => {
      const listed = keys(service);
      const { method, url, authorization } = exchange.request;
      const isListing = method === 'GET' && url === `/v1${ENDPOINTS.models}`;
      if (isListing && listed.has(authorization)) throw new ServiceError('internal_error');
      // Those whose key is refused are never listed anything.
      serve(exchange);
      if (isListing) listed.add(authorization);
    },
  };
}

const record = (id: string, records: readonly unknown[]): Fields => ({
  ...(isFields(records[0]) ? records[0] : {}),
  id,
});

export const MODEL_BREACHES: Breaches<typeof MODEL_DEFECTS> = {
  'model-list-lost-on-refresh': losesSecondList,
  'model-record-without-id': () =>
    mislists((records) =>
      records.map((each, index) =>
        index === 1 && isFields(each) ? { ...without(each, 'id'), deployment: each['id'] } : each,
      ),
    ),
  'model-list-cached-across-keys': remembersFirstList,
  'model-list-of-every-key': () =>
    mislists((records) =>
      [...LISTED, RESERVE].map(
        (id) => records.find((each) => isFields(each) && each['id'] === id) ?? record(id, records),
      ),
    ),
  'listed-model-refused': () => refusesChats(({ model }) => model === 'standard-1', 'unknown_model'),
  // Whose end has come is unknown; who is only away for a while may be listed.
  'model-listed-after-its-end': () => ({
    ...mislists((records) => [...records, record(DORMANT, records)]),
    ...refusesChats(({ model }) => model === DORMANT, 'unknown_model'),
  }),
  'other-keys-models-served': () => misreadsModel((id) => (id === RESERVE ? DEFAULT : id)),
  'second-key-may-use-all': () =>
    misreads((chat, { authorization }) =>
      authorization?.includes('mock-Bn5') === true && LISTED.includes(String(chat['model']))
        ? { ...chat, model: DEFAULT }
        : chat,
    ),
  'unknown-model-falls-back': () => misreadsField('model', (id) => (isUnknown(id) ? DEFAULT : id)),
  'unknown-model-falls-back-in-streams': () =>
    misreads((chat) =>
      chat['stream'] === true && isUnknown(chat['model']) ? { ...chat, model: DEFAULT } : chat,
    ),
  'empty-model-is-default': () => misreadsModel((id) => id || DEFAULT),
  'famous-models-mapped': () =>
    misreadsModel((id) => (/^(gpt|claude|gemini|o3|llama|mistral)-/.test(id) ? DEFAULT : id)),
  'model-case-ignored': () => misreadsModel((id) => id.toLowerCase()),
  'model-trimmed': () => misreadsModel((id) => id.trim()),
  'model-by-prefix': () =>
    misreadsModel((id) => (id === '' ? id : (LISTED.find((model) => model.startsWith(id)) ?? id))),
  'model-begins-with-id': () => misreadsModel((id) => LISTED.find((model) => id.startsWith(model)) ?? id),
  'provider-prefix-dropped': () => misreadsModel((id) => id.slice(id.lastIndexOf('/') + 1)),
  'model-variant-dropped': () => misreadsModel((id) => id.split(':', 1)[0] ?? id),
  'latest-is-an-alias': () => misreadsModel((id) => id.replace(/-latest$/, '')),
  'unknown-model-in-plain-text': () =>
    misspellsErrors(['unknown_model'], (answer) => withText(answer, 'text/plain', 'model not found')),
  'unknown-model-fails': () => misspellsErrors(['unknown_model'], (answer) => ({ ...answer, status: 500 })),
};
