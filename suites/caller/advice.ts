import type { Finding } from '../engine/model/ruling.ts';
import { rowsUnderHeads } from '../engine/summary/remedy-table.ts';
import { hasFailed, RETRY_COUNT } from './chats.ts';
import { type Timeline, type TimelineRequest, WATCHED } from './timeline.ts';

/** A violation, and where it shows. */
export interface Shown {
  readonly timeline: Timeline;
  readonly request: TimelineRequest;
  readonly finding: Finding;
}

/** The clients that the table names, by their user agents. */
export const CLIENTS: Readonly<Record<string, RegExp>> = {
  '': /^/,
  'AI SDK': /^ai[/-]/,
  Go: /^Go/,
  JavaScript: /^(?:node|undici|axios|got|ai[/-])|OpenAI\/JS|langchainjs/,
  LangChain: /langchainjs/,
  'openai in JavaScript': /OpenAI\/JS/,
  'openai in Python': /OpenAI\/Python/,
  Python: /[Pp]ython/,
  requests: /python-requests/,
};

/**
 * Under the checks that find a failure, and the place in the specification, what mends it: what else has to show, in the
 * words of `factsOf`; the client, if only one has this advice; the advice; and its source. Of the rows of a check the first
 * that fits counts. A deeper line continues the one before.
 */
export const ADVICE_TABLE = String.raw`
  fresh-key-per-request: Endpoints, header Idempotency-Key
    no-key, a stream | LangChain | LangChain drops the headers of streams: call invoke, or add the key in configuration.fetch
      | reference.langchain.com/javascript/langchain-openai/ChatOpenAI
    no-key | LangChain | invoke(input, { options: { headers: { 'Idempotency-Key': randomUUID() } } })
      | reference.langchain.com/javascript/langchain-openai/ChatOpenAI
    no-key | AI SDK | headers: { 'Idempotency-Key': randomUUID() } in each call | ai-sdk.dev/docs/ai-sdk-core/settings
    no-key | openai in JavaScript | create(body, { headers: { 'Idempotency-Key': randomUUID() } }) | github.com/openai/openai-node
    no-key | Python | extra_headers (openai) or headers={'Idempotency-Key': str(uuid4())} in each call
      | github.com/openai/openai-python, requests.readthedocs.io/en/latest/user/quickstart
    no-key | Go | req.Header.Set("Idempotency-Key", uuid.NewString()), and req.GetBody = nil: the transport resends such a request
      | pkg.go.dev/net/http#Transport
    key-of-an-earlier-scenario | | use random keys: a counter that restarts with each process repeats its keys
    key-reused | | set a new key for each request, not in the default headers of the client
    | | send a random Idempotency-Key, such as a UUID, among the headers of each request
  not-sent-again-unchecked: Errors, row Timeout or gateway error
    | | look the request up in the workspace by its Idempotency-Key before its work is sent again
  no-automatic-retry: Limits, 5
    the client retried | openai in JavaScript | maxRetries: 0 for the client | github.com/openai/openai-node#retries
    the client retried | openai in Python | max_retries=0 for the client | github.com/openai/openai-python#retries
    the same key | LangChain | maxRetries: 0 for the model
      | reference.langchain.com/javascript/langchain-openai/ChatOpenAI
    the same key | AI SDK | maxRetries: 0 in each call | ai-sdk.dev/docs/ai-sdk-core/settings
    the client retried nothing |
      | the client itself retried nothing: whatever calls it again (a worker that restarts, a queue, p-retry, tenacity) must look up lost work first
      | github.com/sindresorhus/p-retry, tenacity.readthedocs.io
    the same key, a broken connection | Go
      | req.GetBody = nil: the transport resends a POST that has an Idempotency-Key on a connection that breaks
      | pkg.go.dev/net/http#Transport
    the same key | requests | an HTTPAdapter whose Retry leaves POST out, as it does by default
      | urllib3.readthedocs.io/en/stable/reference/urllib3.util.html
    another key | Python | no retry around the call: with tenacity, stop=stop_after_attempt(1) | tenacity.readthedocs.io
    another key | JavaScript | no retry around the call: with p-retry, retries: 0
      | github.com/sindresorhus/p-retry
    | | switch off the retries of the client (docs/callers.md), and of whatever calls it again, such as a queue or a worker that restarts
  waits-120-seconds: Limits, 5
    | | let the client wait 120 s for an answer: timeout: 120000 (other clients: docs/callers.md)
  five-fields-only: Resources, Chat completion request
    stream_options | AI SDK | @ai-sdk/openai-compatible: @ai-sdk/openai adds stream_options to every stream
      | ai-sdk.dev/providers/openai-compatible-providers
    stream_options | LangChain | streamUsage: false for the model
      | reference.langchain.com/javascript/langchain-openai/ChatOpenAI
    stream_options | | leave stream_options out: a stream needs only stream: true
    | | send only these five fields; switch off what a framework adds, such as tools or user
  concurrency-reduced: Errors, row Rate limit error
    | JavaScript
      | make the pool smaller after a refusal, for example with queue.concurrency of p-queue: a pause or fewer retries are not enough
      | github.com/sindresorhus/p-queue
    | | make the pool smaller after a refusal: a pause or fewer retries are not enough
  request-reduced: Errors, row Token limit error
    | | shorten the messages or lower max_tokens before the next attempt
  lost-answer-is-uncertain: Errors, row Timeout or gateway error
    | | record a lost answer as unknown until a workspace lookup decides it
  key-retained: Endpoints, header Idempotency-Key
    | | log or record the Idempotency-Key before the request is sent
  details-kept: Errors, row Gateway failure
    | | log or record the Idempotency-Key with the outcome
  non-json-survived: Errors, row Gateway failure
    | | parse a body as JSON only inside a try, and treat any other body as a lost answer
  listed-models-only: What the service does, 8
    a scenario | | take the model ID from GET /v1/models, or a configured one from CHAT_MODEL
    | | take the model ID from GET /v1/models
  models-read-again: Errors, row Invalid or unavailable model ID
    | | read GET /v1/models again after a model was refused, before its ID is used again
  vision-asked-first: Endpoints, GET /v1/vision-capabilities
    | | read the vision endpoint before the first image, and send images only where its answer allows them
  version-in-base-address: What the service does, 7
    | | use a base URL that ends in /v1, and let the client add only the path of the endpoint
  key-on-server-side: Authentication, 3
    | | call the service from a server, with the key only as the bearer token of Authorization
`;

/** What a violation shows, in the words of the table. */
function factsOf({ timeline, request, finding }: Shown): ReadonlySet<string> {
  const { headers, n, idempotencyKey } = request;
  const chat = timeline.chats.find((each) => each.n === n);
  const before = timeline.chats.findLast((one) => one.n < n && one.work === chat?.work && hasFailed(one));
  const facts: Readonly<Record<string, boolean>> = {
    [finding.code]: true,
    'a scenario': timeline.scenario !== WATCHED.scenario,
    'a stream': chat?.fields?.['stream'] === true,
    stream_options: chat?.fields?.['stream_options'] !== undefined,
    'the client retried': Number(headers[RETRY_COUNT] ?? 0) > 0,
    'the client retried nothing': headers[RETRY_COUNT] === '0',
    'the same key': before !== undefined && before.idempotencyKey === idempotencyKey,
    'another key': before !== undefined && before.idempotencyKey !== idempotencyKey,
    'a broken connection': before?.outcome === 'cut',
  };
  return new Set(Object.keys(facts).filter((fact) => facts[fact]));
}

/** Each line of the table, with the check above it and its place in the specification. */
const ROWS = rowsUnderHeads(ADVICE_TABLE).map(
  ({ head: [check, place], row: [facts = '', client = '', text = '', source] }) => ({
    check,
    place,
    facts: facts.split(', ').filter((fact) => fact !== ''),
    client,
    advice: source === undefined ? text : `${text} (${source})`,
  }),
);

function rowFor(check: string, shown: Shown): (typeof ROWS)[number] | undefined {
  const [facts, agent] = [factsOf(shown), shown.request.headers['user-agent'] ?? ''];
  const own = ROWS.filter((row) => row.check === check && CLIENTS[row.client]?.test(agent));
  return own.find((row) => row.facts.every((fact) => facts.has(fact)));
}

/** Everything that is listed for failures of a check. */
export function allAdvice(check: string): readonly string[] {
  return ROWS.flatMap((row) => (row.check === check ? row.advice : []));
}

/** What mends the violations of a check, by what each shows of the client, after their places in the specification. */
export function adviceOn(check: string, all: readonly Shown[]): string {
  // What a lookup allows is no retry.
  const checks = check === 'not-sent-again-unchecked' ? [check, 'no-automatic-retry'] : [check];
  const rows = checks.flatMap((each) => all.flatMap((shown) => rowFor(each, shown) ?? []));
  const [places, advice] = (['place', 'advice'] as const).map((of) =>
    [...new Set(rows.map((row) => row[of]))].join('; '),
  );
  return `specification, ${places}: ${advice}`;
}
