import { validateHeaderName, validateHeaderValue } from 'node:http';

/** Headers that frame the answer, or that the mock sends itself. */
const OWN = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'idempotency-replayed',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
]);

/** Why an answer cannot have this header; undefined: it can. */
export function headerProblem(name: string, value: string): string | undefined {
  if (OWN.has(name.toLowerCase())) return 'the mock sends this header itself';
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return undefined;
  } catch {
    return 'not a header of HTTP';
  }
}
