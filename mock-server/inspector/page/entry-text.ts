import type { ShownBody, ShownEntry, ShownExchange } from '../../journal/shown-exchange.ts';

/** `succeeded: 518 reserved, 82 debited`. */
export function moneyText(entry: Pick<ShownEntry, 'ledger' | 'endpoint' | 'status'>): string {
  const money = entry.ledger.at(-1);
  if (money === undefined)
    return entry.endpoint === 'chat' && entry.status === 200
      ? 'replayed: the stored answer, without a debit'
      : 'nothing reserved';
  return `${money.state.replace('_', ' ')}: ${money.reserved} reserved, ${money.debit ?? 'nothing'} debited`;
}

/** The same for a narrow column. */
export function debitText(entry: ShownEntry): string {
  const money = entry.ledger.at(-1);
  if (money === undefined) return '';
  if (money.state === 'under_review') return 'review';
  if (money.state === 'running') return `(${money.reserved})`;
  return money.debit === null ? 'released' : `−${money.debit}`;
}

/** Whether it was debited, and its caller has no whole answer of the service. */
export function isLostCharge(entry: ShownEntry): boolean {
  const isServed = entry.status === 200 && (entry.ended === 'answered' || entry.ended === null);
  return !isServed && (entry.ledger.at(-1)?.debit ?? 0) > 0;
}

/** How a request ended, in a word, and the colour of that word. */
export function statusOf({ status, ended }: ShownEntry): {
  readonly text: string;
  readonly tone: 'good' | 'warn' | 'bad' | 'idle';
} {
  if (ended === null) return { text: `${status ?? ''}…`, tone: 'idle' };
  if (ended === 'cut') return { text: status === null ? 'cut' : `${status} cut`, tone: 'bad' };
  if (ended === 'silent') return { text: 'silent', tone: 'bad' };
  if (ended === 'client-gone') return { text: 'left', tone: 'warn' };
  if (status === null || status >= 500) return { text: String(status), tone: 'bad' };
  return { text: String(status), tone: status >= 400 ? 'warn' : 'good' };
}

/** Local time, with milliseconds. */
export function clockTime(ms: number): string {
  const time = new Date(ms);
  return `${time.toLocaleTimeString('en-GB')}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

/** Three digits are enough to compare. */
export function durationText(ms: number | null): string {
  if (ms === null) return '…';
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms.toFixed(ms >= 100 ? 0 : ms >= 10 ? 1 : 2)} ms`;
}

/** Names what repeats of a request share: its world and its Idempotency-Key. Empty: it has none. */
export function repeatName({ sandbox, idempotencyKey }: ShownEntry): string {
  return idempotencyKey === null ? '' : `${sandbox ?? ''} ${idempotencyKey}`;
}

/** The requests of each Idempotency-Key that came more than once, in their order. */
export type Repeats = ReadonlyMap<string, readonly ShownEntry[]>;

export function repeatsIn(entries: readonly ShownEntry[]): Repeats {
  const groups = Map.groupBy(entries, repeatName);
  return new Map([...groups].filter(([name, group]) => name !== '' && group.length > 1));
}

const ENDS = {
  answered: 'the answer has left whole',
  cut: 'the connection was cut inside the answer, or instead of it',
  silent: 'nothing more is sent; the connection stays open',
  'client-gone': 'the client disconnected first',
} as const;

interface Happening {
  /** Milliseconds since the arrival. */
  readonly ms: number | null;
  readonly what: string;
  readonly isFault?: boolean;
}

/** What happened to a request, from its arrival to its end. A fault has the time of its phase. */
export function courseOf({ entry, phases, response }: ShownExchange): readonly Happening[] {
  const reached = phases.flatMap(({ phase, ms }) => {
    const faults = entry.faults.filter((fault) => fault.phase === phase);
    const hits = faults.map(({ fault, rule }) => ({ ms, what: `${fault} (${nameOf(rule)})`, isFault: true }));
    return [{ ms, what: phase }, ...hits];
  });
  const made = response === null ? [] : [{ ms: response.ms, what: `answer ${response.status} is made` }];
  const end = entry.ended === null ? [] : [{ ms: entry.ms, what: ENDS[entry.ended] }];
  const before = [...reached, ...made].toSorted((one, other) => one.ms - other.ms);
  return [{ ms: 0, what: 'arrived' }, ...before, ...end];
}

/** A rule that a request brings along has no ID. */
function nameOf(rule: string): string {
  return rule === 'header' ? 'its x-mock-fault header' : rule;
}

/** Headers that curl sets itself, that belong to a connection, or that only a browser sends. */
const LEFT_OUT = /^(?:host|content-length|connection|transfer-encoding|accept-encoding|expect|sec-.*)$/i;

/** A request as a curl command, with the key from $CHAT_API_KEY. `base` is the address before `/v1`. */
export function asCurl({ entry, request }: ShownExchange, base: string): string {
  const headers = (request?.headers ?? []).filter(([name]) => !LEFT_OUT.test(name));
  const body = request?.body && 'text' in request.body ? request.body.text : '';
  const url = `${base}${request?.url ?? entry.path}`;
  const isByDefault = entry.method === (body === '' ? 'GET' : 'POST');
  // Without --globoff, curl makes several addresses of one.
  const globoff = /[[\]{}]/.test(url) ? ' --globoff' : '';
  const parts = [
    `curl --include${globoff} ${shellWord(url)}`,
    ...(isByDefault ? [] : [`--request ${shellWord(entry.method)}`]),
    ...headers.map(headerOption),
    ...(body === '' ? [] : [`--data-raw ${shellWord(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

function headerOption([name, value]: readonly [name: string, value: string]): string {
  if (name.toLowerCase() !== 'authorization') return `--header ${shellWord(`${name}: ${value}`)}`;
  return `--header "Authorization: ${/^bearer /i.test(value) ? 'Bearer ' : ''}$CHAT_API_KEY"`;
}

/** A word that a POSIX shell takes as it is. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The text of an answer, whole or as far as its events have come; empty: it has none. */
export function saidIn(body: ShownBody): string {
  const text = body !== null && 'text' in body ? body.text : '';
  const events = Array.from(text.matchAll(/^data: ?(\{.*)$/gm), ([, data = '']) => data);
  return (events.length === 0 ? [text] : events).map(contentIn).join('');
}

function contentIn(json: string): string {
  try {
    const { choices: [choice] = [] }: Completion = JSON.parse(json);
    return (choice?.message ?? choice?.delta)?.content ?? '';
  } catch {
    return '';
  }
}

/** A completion, or an event of one. */
interface Completion {
  readonly choices?: readonly Partial<Record<'message' | 'delta', { readonly content?: string }>>[];
}

/** A body in the part that left before it was cut, and the rest; undefined: masked or binary, it cannot be told where. */
export function partedAt(body: ShownBody, left: number): readonly [left: string, rest: string] | undefined {
  if (body === null || !('text' in body)) return undefined;
  const bytes = new TextEncoder().encode(body.text);
  if (bytes.length !== body.bytes) return undefined;
  const decoder = new TextDecoder();
  return [decoder.decode(bytes.subarray(0, left)), decoder.decode(bytes.subarray(left))];
}
