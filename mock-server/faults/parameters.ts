import { z } from 'zod';
import { isSpread, LARGEST } from '../time/spread.ts';

const asciiError = 'expected printable ASCII';

/** The value of a header. */
export const headerValue = z.union(
  [z.string(asciiError).regex(/^[\u0020-\u007e]*$/, asciiError), z.number(asciiError)],
  asciiError,
);

const spreadError = `expected milliseconds from 1 to ${LARGEST}, FROM..TO, normal:MEAN,DEVIATION or lognormal:P50,P99`;

/** Milliseconds: a whole number, or a range or distribution from which each request draws its own. */
export const duration = z.union(
  [
    z.int(spreadError).min(1, spreadError).max(LARGEST, spreadError),
    z.string(spreadError).refine(isSpread, spreadError),
  ],
  spreadError,
);

/** Retry-After, of refusals and of gateways. */
export const RETRY_AFTER = {
  retry_after: headerValue
    .describe(
      'Retry-After: seconds, `date` (so many seconds of the world ahead, by its clock), `date+30` or `date-30` (by the real time, as clients have it), `nonsense`, `absent`, or a text as it is',
    )
    .exactOptional(),
};

export type RetryAfter = z.output<typeof headerValue>;

/** Seconds after the real time, or before it. */
const REAL_DATE = /^date(?<seconds>[+-]\d{1,9})$/;

/** Names and values of headers in turn: none, or Retry-After as `retry_after` of a rule has it. */
export function retryAfterHeader(
  asked: RetryAfter | undefined,
  { now, retryAfterSeconds }: { readonly now: number; readonly retryAfterSeconds: number },
): readonly string[] {
  if (asked === undefined || asked === 'absent') return [];
  const seconds = REAL_DATE.exec(String(asked))?.groups?.['seconds'];
  if (seconds !== undefined) return ['retry-after', dateAfter(Date.now(), Number(seconds))];
  if (asked === 'date') return ['retry-after', dateAfter(now, retryAfterSeconds)];
  return ['retry-after', asked === 'nonsense' ? 'in a while' : String(asked)];
}

/** As HTTP spells a date, which has whole seconds: no earlier than after so many. */
function dateAfter(instant: number, seconds: number): string {
  return new Date(Math.ceil(instant / 1000 + seconds) * 1000).toUTCString();
}
