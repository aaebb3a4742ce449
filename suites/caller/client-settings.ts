import type { Finding } from '../kit/model/ruling.ts';
import type { Timeline } from './observed/timeline.ts';

/** The settings of well-known clients for the tested configuration: no retries, 120 s, a fresh key each time; and their source. */
const SETTINGS: readonly (readonly [agent: RegExp, settings: string, source: string])[] = [
  // Frameworks stand before the clients that they are built on: the first that fits counts.
  [
    /langchain/i,
    'LangChain: `maxRetries: 0`, `timeout: 120000`; `invoke(input, { options: { headers } })` with a fresh Idempotency-Key; it drops the headers of streams',
    'https://reference.langchain.com/javascript/langchain-openai/ChatOpenAI',
  ],
  [
    /\bai-sdk\//i,
    'AI SDK: `maxRetries: 0`, `timeout: 120000` and `headers` with a fresh Idempotency-Key in each call',
    'https://ai-sdk.dev/docs/ai-sdk-core/settings',
  ],
  [
    /\bOpenAI\/Python\b/i,
    'openai for Python: `max_retries=0`, `timeout=120`; `extra_headers` with a fresh Idempotency-Key in each call',
    'https://github.com/openai/openai-python#retries',
  ],
  [
    /\bOpenAI\/JS\b/i,
    'openai: `maxRetries: 0`, `timeout: 120000`; `create(body, { headers })` with a fresh Idempotency-Key',
    'https://github.com/openai/openai-node#retries',
  ],
  [
    /^axios\//i,
    'axios: no axios-retry, or a `retryCondition` that excludes POST; `timeout: 120000`',
    'https://github.com/softonic/axios-retry#options',
  ],
  [
    /sindresorhus\/got/,
    'got: `retry: { limit: 0 }`, `timeout: { request: 120000 }`',
    'https://github.com/sindresorhus/got/blob/main/documentation/7-retry.md',
  ],
  [
    /^undici$/,
    'undici: no retry interceptor, no RetryAgent',
    'https://undici.nodejs.org/#/docs/api/RetryAgent',
  ],
  [
    /^python-httpx\//i,
    'httpx: a transport with `retries=0`, no retry around it; `timeout=120` (5 s otherwise)',
    'https://www.python-httpx.org/advanced/timeouts/',
  ],
  [
    /^python-requests\//i,
    'requests: an HTTPAdapter without `Retry`; `timeout=120` (none otherwise)',
    'https://requests.readthedocs.io/en/latest/user/quickstart/#timeouts',
  ],
  [
    /^curl\//i,
    'curl: no `--retry`; `--max-time 120`; `--header "Idempotency-Key: $(uuidgen)"`',
    'https://curl.se/docs/manpage.html',
  ],
];

/** The checks whose failures such a setting mends. */
const MENDED = new Set(['no-automatic-retry', 'waits-120-seconds', 'fresh-key-per-request']);

/** Whether a client sent the request again as it was: an application that sends its work anew gives it another key. */
function isOfClient({ requests }: Timeline, { code, exchange = 0 }: Finding): boolean {
  const shown = requests[exchange];
  return (
    code !== 'retried' ||
    requests.some(
      (one) => one !== shown && one.idempotencyKey === shown?.idempotencyKey && one.method === 'POST',
    )
  );
}

/** The settings that mend a failed check for the clients that show it; undefined: none is known. */
export function settingFor(
  check: string,
  violations: readonly { readonly timeline: Timeline; readonly finding: Finding }[],
): string | undefined {
  if (!MENDED.has(check)) return undefined;
  const shown = violations.filter(({ timeline, finding }) => isOfClient(timeline, finding));
  const agents = shown.map(
    ({ timeline, finding }) => timeline.requests[finding.exchange ?? 0]?.headers['user-agent'] ?? '',
  );
  const found = new Set(
    agents.map((agent) => SETTINGS.find(([known]) => known.test(agent))).filter((row) => row !== undefined),
  );
  return found.size === 0
    ? undefined
    : [...found].map(([, settings, source]) => `${settings} (${source})`).join('; ');
}
