import { z } from 'zod';
import type { Heard } from './raw-call.ts';

interface Seen extends Heard {
  readonly head: string;
  readonly body: string;
  readonly status: string | undefined;
  /** Undefined: the body is no JSON. */
  readonly json: Said | undefined;
}

const said = z.looseObject({
  error: z.looseObject({ code: z.unknown() }).optional(),
  choices: z.unknown().optional(),
  usage: z.unknown().optional(),
});
type Said = z.infer<typeof said>;

type Groups = Readonly<Record<string, string | undefined>>;

/** The phrases of `sees`, and when each is true. */
const PHRASES: readonly (readonly [phrase: RegExp, isTrue: (seen: Seen, groups: Groups) => boolean])[] = [
  [/^no answer$/, ({ bytes }) => bytes === ''],
  [/^no body$/, ({ head, body }) => head !== '' && body === ''],
  [/^(?<status>\d{3})$/, (seen, { status }) => seen.status === status],
  [
    /^(?<status>\d{3}) (?<code>\w+)$/,
    (seen, { status, code }) => seen.status === status && seen.json?.error?.code === code,
  ],
  [
    /^(?<status>\d{3}) (?<type>\w+\/\w+)$/,
    (seen, { status, type }) =>
      seen.status === status && header(seen, 'content-type') === type && seen.json === undefined,
  ],
  [/^(?<name>[\w-]+): a date$/, (seen, { name }) => header(seen, name)?.endsWith(' GMT') === true],
  [/^(?<name>[\w-]+) twice$/, ({ head }, { name }) => head.split(`\n${name}: `).length === 3],
  [/^no JSON$/, ({ json }) => json === undefined],
  [/^an event twice$/, ({ body }) => events(body).some((event, index, all) => event === all[index - 1])],
  [
    /^a broken event$/,
    ({ body }) => events(body).some((event) => jsonIn(event) === undefined && event !== '[DONE]'),
  ],
  [/^an error event at the end$/, ({ body }) => jsonIn(events(body).at(-1) ?? '')?.error !== undefined],
  [/^(?<name>[\w-]+): (?<value>.+)$/, (seen, { name, value }) => header(seen, name) === value],
  [/^no (?<name>\w+-[\w-]+)$/, (seen, { name }) => header(seen, name) === undefined],
  [
    /^a whole completion$/,
    (seen) => isWhole(seen) && seen.json?.choices !== undefined && seen.json.usage !== undefined,
  ],
  [/^a whole stream$/, (seen) => isWhole(seen) && seen.body.endsWith('data: [DONE]\n\n')],
  [/^(?<n>\d+) bytes? of the body$/, ({ body }, { n }) => body.length === Number(n)],
  [
    /^(?<n>\d+) events? of the stream$/,
    ({ body }, { n }) => body.endsWith('\n\n') && body.split('\n\n').length - 1 === Number(n),
  ],
  [/^half a character$/, ({ body }) => Buffer.from(body, 'latin1').toString().endsWith('\u{fffd}')],
  [/^(?<n>\d+) bytes? too few$/, (seen, { n }) => declared(seen) - seen.body.length === Number(n)],
  [/^(?<n>\d+) bytes? too many$/, (seen, { n }) => seen.body.length - declared(seen) === Number(n)],
  // Never less, whatever the load: no wait ends early, but for the clock's own rounding.
  [/^after (?<n>\d+) ms$/, ({ ms }, { n }) => ms > Number(n) - 2],
  [/^in many pieces$/, ({ pieces }) => pieces > 2],
  [/^connection (?<end>\w+)$/, (seen, { end }) => seen.end === end],
];

/** Whether a phrase is true of what was heard. Throws for one that nobody knows. */
export function isSeen(phrase: string, heard: Readonly<Heard>): boolean {
  const end = heard.bytes.indexOf('\r\n\r\n') + 4;
  const [head, body] = [heard.bytes.slice(0, end), heard.bytes.slice(end)];
  const status = /^HTTP\/1.1 (\d{3}) /.exec(head)?.[1];
  const seen = { ...heard, head, body, status, json: jsonIn(body) };
  for (const [pattern, isTrue] of PHRASES) {
    const match = pattern.exec(phrase);
    if (match !== null) return isTrue(seen, match.groups ?? {});
  }
  throw new Error(`nobody sees "${phrase}"`);
}

/** The data of each event. */
function events(body: string): readonly string[] {
  return body
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => block.slice('data: '.length));
}

function header({ head }: Seen, name = ''): string | undefined {
  const line = head.split('\r\n').find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}: `));
  return line?.slice(name.length + 2);
}

function declared(seen: Seen): number {
  return Number(header(seen, 'content-length'));
}

function isWhole(seen: Seen): boolean {
  return seen.status === '200' && declared(seen) === seen.body.length;
}

/** Undefined: it is no JSON. */
function jsonIn(text: string): Said | undefined {
  try {
    return said.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return undefined;
  }
}
