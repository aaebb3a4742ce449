import type { Defect } from '../../mock-server/defects/defect.ts';
import type { SecondDefectName } from './second-service/defects/defects.ts';

/** What each defect of the second service breaks, and how it came about; what it does is beside the service. */
export const SECOND_DEFECT_LABELS: Readonly<Record<SecondDefectName, Defect>> = {
  'models-on-pages': {
    clauses: ['MOD-2'],
    story: 'The list shows its first page; what is on the next one is served all the same',
  },
  'model-is-a-pattern': {
    clauses: ['SVC-7', 'ERR-3'],
    story: 'A model is looked up with LIKE, and its name is the pattern',
  },
  'vision-is-of-the-key': {
    clauses: ['MSG-4'],
    story: 'Vision is enabled for a key that has a model with vision, and then for each of its models',
  },
  'no-vision-is-not-found': {
    clauses: ['VIS-1'],
    story: 'For a key without a model with vision there is no row, and no row is an error',
  },
  'underscored-fields-private': {
    clauses: ['REQ-6'],
    story: 'A field that begins with an underscore is a private note of the caller, and skipped',
  },
  'fields-in-camel-case-too': {
    clauses: ['REQ-6'],
    story: 'The mapper of the language knows each field by its name in camel case as well',
  },
  'flags-are-integers': {
    clauses: ['REQ-3', 'REQ-4'],
    story: 'In the language of the service a flag is an integer, and passes for one',
  },
  'role-within-a-list-of-words': {
    clauses: ['MSG-1'],
    story: 'Whether a role is known is asked of a text that holds the three, not of a list',
  },
  'assistant-may-say-null': {
    clauses: ['MSG-2'],
    story: 'The assistant may say null, as where it calls a tool elsewhere',
  },
  'first-part-decides': {
    clauses: ['MSG-3', 'MSG-4'],
    story: 'A list of parts is taken for what its first part is, and images behind a text go unseen',
    alsoBlamed: {
      'MSG-2': 'whatever else stands behind a text goes unseen too',
      'SVC-5': 'parts of tool calls among it',
    },
  },
  'history-uncounted': {
    clauses: ['ERR-4'],
    story: 'Of the input only the last message is counted: the rest is the history, and kept elsewhere',
  },
  'model-called-constructor-fails': {
    clauses: ['ERR-11'],
    story: 'Models are looked up in a plain object, which knows names that are no model’s',
  },
  'percent-sign-fails': {
    clauses: ['ERR-11', 'SVC-1'],
    story: 'A text of the user becomes the format of a log line, and a percent sign wants a value',
    alsoBlamed: { 'SVC-4': 'such a text may stand in a message of any role' },
  },
  'text-cut-is-withheld': {
    clauses: ['RES-2'],
    story: 'A text that reached its maximum is not finished, and therefore not told',
  },
  'length-in-characters': {
    clauses: ['RES-1', 'STR-3'],
    story: 'The length of the answer is counted in characters and sent in bytes, which cuts its end',
    alsoBlamed: {
      'RES-4': 'the end that is cut off may hold the usage',
      'VER-2': 'the client reads streams as events of JSON',
    },
  },
  'slow-chats-become-jobs': {
    clauses: ['RES-1'],
    story: 'A model that takes long is answered for by the number of a job, to be asked for later',
  },
  'token-limit-inside-streams': {
    clauses: ['STR-4'],
    story: 'Tokens are counted once the stream has begun, and too many are told by an event',
    alsoBlamed: { 'ERR-10': 'the status went out before the refusal was known' },
  },
  'request-id-is-the-idempotency-key': {
    clauses: ['ERR-1'],
    story: 'The Idempotency-Key serves as request ID, and where there is none the ID is empty',
  },
  'request-ids-wrap-around': {
    clauses: ['ERR-2'],
    story: 'The request ID is a slot in a ring of forty',
  },
  'refusals-from-a-cache': {
    clauses: ['ERR-2'],
    story: 'Refusals are cached by what was sent, the request ID with them',
  },
  'key-vouches-for-its-address': {
    clauses: ['AUTH-1', 'AUTH-2'],
    story: 'An address from which a good key came needs none for a while',
  },
  'input-tokens-run-on': {
    clauses: ['RES-5'],
    story: 'The meter of the input is never set back, and the answer reports what it shows',
    alsoBlamed: { 'LIM-1': 'what fits beside an input is reckoned from its usage' },
  },
  'rate-limited-chats-reserve': {
    clauses: ['LIM-4'],
    story: 'Credits are reserved before the rate is looked at, and not given back',
  },
  'review-ends-with-the-next-chat': {
    clauses: ['ERR-8'],
    story: 'What is under review is cleared away when the next chat comes',
  },
};
