import { ENDPOINTS } from '../../../fixtures/chats/chat.ts';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { OPEN_POINTS, type OpenPointName } from '../../../fixtures/clauses/open-points.ts';
import type { DefectHooks } from '../../chat/defect-hooks.ts';
import type { Answer, ReceivedRequest } from '../../protocol/answer.ts';
import { ledgerAt } from './ledgers.ts';
import { isChat, isStreamed, requestedChat } from './requests.ts';
import { codeOf } from './responses.ts';

/** What is blamed for a mutation. */
interface Blame {
  /** The clauses it breaks: every run blames each of them. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** Clauses that a run may blame too, because it breaks them where it meets certain requests, and why. */
  readonly alsoBlamed?: Readonly<Partial<Record<ClauseId, string>>>;
}

/** One way in which an implementer gets the specification wrong. The mock can have it, and the suites must notice. */
export interface Defect extends DefectHooks, Blame {
  /** For an open clause: it is broken only where a profile pins these points to these values. */
  readonly pins?: Readonly<Partial<Record<OpenPointName, unknown>>>;
  /** What was built, and often why, in words. */
  readonly story: string;
}

/** Whether a service has a defect for this request, or in this answer to it. */
type Includes = (request: ReceivedRequest, answer?: Answer) => boolean;

/** The models that the mock lists first and second, and the beginning of its second key. */
export const CHEAPEST = 'compact-1';
export const ANOTHER = 'standard-1';
const SECOND = 'Bearer mock-Bn5';

const forModel =
  (isSuch: (model: unknown) => boolean): Includes =>
  (request) =>
    isSuch(requestedChat(request)?.['model']);
const isDearer = forModel((model) => model !== undefined && model !== CHEAPEST);

const errors =
  (...codes: readonly unknown[]): Includes =>
  (_, answer) =>
    answer !== undefined && codes.includes(codeOf(answer));
const isUnavailable = errors('model_unavailable', 'service_unavailable');

/** Where a service may have a defect, in the words with which the name and the story of the defect end. */
const PLACES = {
  'in whole answers': (request) => requestedChat(request) !== undefined && !isStreamed(request),
  'in streams': isStreamed,
  'for the list of models': ({ url }) => url === `/v1${ENDPOINTS.models}`,
  'for the vision endpoint': ({ url }) => url === `/v1${ENDPOINTS.vision}`,
  'for the cheapest model': forModel((model) => model === CHEAPEST),
  'for one model': forModel((model) => model === ANOTHER),
  'for dearer models': isDearer,
  'in streams for dearer models': (request) => isStreamed(request) && isDearer(request),
  'for the second key': ({ authorization }) => authorization?.startsWith(SECOND) === true,
  'for large bodies': (request) => isChat(request) && (request.body?.length ?? 0) > 65_536,
  'in errors about the key': errors('missing_key', 'invalid_key'),
  'in errors about the scope': errors('missing_scope'),
  'in errors about the model': errors('unknown_model'),
  'in errors about the syntax': errors('invalid_json', 'invalid_encoding'),
  'in errors about unknown fields': errors('unknown_field'),
  'in rate limit errors': errors('rate_limit'),
  'in token limit errors': errors('token_limit'),
  'in errors about availability': isUnavailable,
  'in errors about availability in streams': (...of) => isUnavailable(...of) && isStreamed(of[0]),
  'in validation errors': errors('unknown_field', 'missing_field', 'invalid_value', 'image_not_allowed'),
  'in refusals of streams': (request, answer) =>
    answer !== undefined && answer.status < 500 && codeOf(answer) !== undefined && isStreamed(request),
} as const satisfies Readonly<Record<string, Includes>>;

type DefectPlace = keyof typeof PLACES;

function only(place: DefectPlace, { onRequest, onResponse, wrapLedger, ...rest }: DefectHooks): DefectHooks {
  const includes: Includes = PLACES[place];
  return {
    ...rest,
    ...(onRequest && {
      onRequest: (exchange, next, service) =>
        includes(exchange.request) ? onRequest(exchange, next, service) : next(exchange),
    }),
    ...(onResponse && {
      onResponse: (answer, request, service) =>
        includes(request, answer) ? onResponse(answer, request, service) : answer,
    }),
    ...(wrapLedger && ledgerAt(includes, wrapLedger)),
  };
}

/** A mutation everywhere, or at each of several places; at some of them, a run blames it for something else. */
type Row<Way> = Way | readonly [Way, ...At[]];
type Anywhere = DefectPlace | 'everywhere';
type At = Anywhere | (Partial<Blame> & { readonly place?: DefectPlace });

type Defects = Readonly<Record<string, Defect>>;

/** A defect for each mutation, and of one at several places for each place: its name then ends with the words of the place. */
export function defects(
  blamed: Blame['clauses'] | Blame,
  story: string,
  rows: Readonly<Record<string, Row<DefectHooks>>>,
): Defects {
  return defectsOf(blamed, story, (hooks: DefectHooks) => hooks, rows);
}

/** The same of mutations of one kind: `mutate` makes each. */
export function defectsOf<Way>(
  blamed: Blame['clauses'] | Blame,
  story: string,
  mutate: (way: Way) => DefectHooks,
  rows: Readonly<Record<string, Row<NoInfer<Way>>>>,
): Defects {
  const blame = 'clauses' in blamed ? blamed : { clauses: blamed };
  const all = Object.entries(rows).flatMap(([name, row]) => {
    const [way, ...places]: readonly [Way, ...At[]] = isAtPlaces(row) ? row : [row, 'everywhere'];
    return places.map((each): readonly [name: string, defect: Defect] => {
      const { place = 'everywhere', ...its } = typeof each === 'string' ? { place: each } : each;
      const defect = { ...blame, ...its, story };
      if (place === 'everywhere') return [name, { ...defect, ...mutate(way) }];
      const there = { story: `${story} (only ${place})`, ...only(place, mutate(way)) };
      return [`${name}-${place.replaceAll(' ', '-')}`, { ...defect, ...there }];
    });
  });
  return Object.fromEntries(all);
}

function isAtPlaces<Way>(row: Row<Way>): row is readonly [Way, ...At[]] {
  return Array.isArray(row);
}

/** A release that departs from what a profile has pinned: nothing else can be wrong about an open point. */
export function releaseOf(point: OpenPointName, pinned: unknown, hooks: DefectHooks): Defect {
  const { clause, what } = OPEN_POINTS[point];
  const story = `A release changes what a profile has pinned: ${what}`;
  return { clauses: [clause], pins: { [point]: pinned }, story, ...hooks };
}
