import type { Finding } from '../kit/model/ruling.ts';
import type { Timeline } from './observed/timeline.ts';

/** What mends a client that is known by its User-Agent. A setting that is missing is not known. */
interface ClientSettings {
  readonly agent: RegExp;
  readonly client: string;
  readonly retries?: string;
  readonly timeout?: string;
  readonly key?: string;
  /** Where the client documents them. */
  readonly source: string;
}

/** The first that fits counts: frameworks stand before the clients that they are built on. */
const SETTINGS: readonly ClientSettings[] = [
  {
    agent: /langchain/i,
    client: 'LangChain',
    retries: '`maxRetries: 0`',
    timeout: '`timeout: 120000`',
    key: '`invoke(input, { options: { headers } })` with a fresh Idempotency-Key; it drops the headers of streams',
    source: 'https://reference.langchain.com/javascript/langchain-openai/ChatOpenAI',
  },
  {
    agent: /\bai-sdk\//i,
    client: 'AI SDK',
    retries: '`maxRetries: 0` in each call',
    timeout: '`timeout: 120000`, or `abortSignal: AbortSignal.timeout(120000)`, in each call',
    key: '`headers` with a fresh Idempotency-Key in each call',
    source: 'https://ai-sdk.dev/docs/ai-sdk-core/settings',
  },
  {
    agent: /\bOpenAI\/Python\b/i,
    client: 'openai for Python',
    retries: '`max_retries=0`',
    timeout: '`timeout=120`',
    key: '`extra_headers` with a fresh Idempotency-Key in each call',
    source: 'https://github.com/openai/openai-python#retries',
  },
  {
    agent: /\bOpenAI\/JS\b/i,
    client: 'openai',
    retries: '`maxRetries: 0`',
    timeout: '`timeout: 120000`',
    key: '`create(body, { headers })` with a fresh Idempotency-Key',
    source: 'https://github.com/openai/openai-node#retries',
  },
  {
    agent: /^axios\//i,
    client: 'axios',
    retries: 'no axios-retry, or a `retryCondition` that excludes POST',
    timeout: '`timeout: 120000`',
    source: 'https://github.com/softonic/axios-retry#options',
  },
  {
    agent: /sindresorhus\/got/,
    client: 'got',
    retries: '`retry: { limit: 0 }`',
    timeout: '`timeout: { request: 120000 }`',
    source: 'https://github.com/sindresorhus/got/blob/main/documentation/7-retry.md',
  },
  {
    agent: /^undici$/,
    client: 'undici',
    retries: 'no retry interceptor, no RetryAgent',
    source: 'https://undici.nodejs.org/#/docs/api/RetryAgent',
  },
  {
    agent: /^python-httpx\//i,
    client: 'httpx',
    retries: 'a transport with `retries=0`, and no retry around it',
    timeout: '`timeout=120` (5 s otherwise)',
    source: 'https://www.python-httpx.org/advanced/timeouts/',
  },
  {
    agent: /^python-requests\//i,
    client: 'requests',
    retries: 'an HTTPAdapter without `Retry`',
    timeout: '`timeout=120` (none otherwise)',
    source: 'https://requests.readthedocs.io/en/latest/user/quickstart/#timeouts',
  },
  {
    agent: /^Python-urllib\//i,
    client: 'urllib',
    timeout: '`urlopen(request, timeout=120)`',
    source: 'https://docs.python.org/3/library/urllib.request.html',
  },
  {
    agent: /^curl\//i,
    client: 'curl',
    retries: 'no `--retry`, no `--retry-all-errors`',
    timeout: '`--max-time 120`',
    key: '`--header "Idempotency-Key: $(uuidgen)"`',
    source: 'https://curl.se/docs/manpage.html',
  },
];

/** The kind of setting that the failure of a check is about. */
const KINDS: Readonly<Record<string, 'retries' | 'timeout' | 'key'>> = {
  'concurrency-reduced': 'retries',
  'not-sent-again-unchecked': 'retries',
  'no-automatic-retry': 'retries',
  'waits-120-seconds': 'timeout',
  'fresh-key-per-request': 'key',
};

function agentOf(timeline: Timeline, { exchange = 0 }: Finding): string {
  return timeline.requests[exchange]?.headers['user-agent'] ?? '';
}

/** Whether what was not served was sent again as it was: an application that sends its work anew gives it another key. */
function showsRetries({ requests }: Timeline): boolean {
  const unserved = new Set<string>();
  return requests.some(({ method, path, idempotencyKey = '', body, outcome }) => {
    if (method === 'GET') return false;
    const [work, bytes] = [`${path}\n${idempotencyKey}`, `${path}\n${idempotencyKey}\n${body}`];
    // A transport may send a request again with a used-up body.
    const isAgain = unserved.has(bytes) || (idempotencyKey !== '' && body === '' && unserved.has(work));
    if (outcome.kind !== 'served') unserved.add(work).add(bytes);
    return isAgain;
  });
}

/** The settings that mend a failed check for the clients that show it; undefined: none is known. */
export function settingFor(
  check: string,
  violations: readonly { readonly timeline: Timeline; readonly finding: Finding }[],
): string | undefined {
  const kind = KINDS[check];
  if (kind === undefined) return undefined;
  const shown = violations.filter(({ timeline }) => kind !== 'retries' || showsRetries(timeline));
  const agents = new Set(shown.map(({ timeline, finding }) => agentOf(timeline, finding)));
  const found = new Set(
    [...agents].flatMap((agent) => SETTINGS.find((settings) => settings.agent.test(agent)) ?? []),
  );
  const lines = [...found].flatMap(({ client, source, ...settings }) => {
    const setting = settings[kind];
    return setting === undefined ? [] : [`${client}: ${setting} (${source})`];
  });
  return lines.length === 0 ? undefined : lines.join('; ');
}
