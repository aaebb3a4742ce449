import { z } from 'zod';

// Requests and their outcomes, as a journal holds them. `exchange.ts` has the types; only what reads a journal loads this file.

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** A token of RFC 9110. */
export const headerName = z.string().regex(TOKEN, { error: 'must be the name of a header' });

/** Lower-case names; repeated headers joined by a comma. */
const headers = z.record(headerName, z.string());

/** Which of the target's keys. */
export const keyName = z.enum(['primary', 'second', 'unscoped']);

/** As text where the bytes are UTF-8. */
const bytes = z
  .union([z.object({ text: z.string() }), z.object({ base64: z.base64() })])
  .transform((recorded): Uint8Array =>
    'text' in recorded ? Buffer.from(recorded.text) : Buffer.from(recorded.base64, 'base64'),
  );

/** An Authorization header made from the primary key, or something else in its place. */
const forged = z
  .object({
    kind: z.literal('forged'),
    /** What reports may show. */
    label: z.string(),
    /** The text before, between and after the whole key in the header; absent where the key was changed. */
    around: z.array(z.string()).exactOptional(),
    /** Present: it was sent here in place of the Authorization header. */
    elsewhere: z.union([z.object({ header: z.string() }), z.object({ query: z.string() })]).exactOptional(),
  })
  .transform(({ around, ...rest }) => ({
    ...rest,
    header: (primaryKey: string): string => around?.join(primaryKey) ?? `<${rest.label}>`,
  }));

/** Which of the target's keys a request carries, or what it carries in place of one. Never the key itself. */
const credential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key'), name: keyName }),
  z.object({ kind: z.literal('none') }),
  forged,
]);

/** The request as sent, without the key. */
export const request = z
  .object({
    /** A token of RFC 9110. */
    method: z.string().regex(TOKEN, { error: 'must be the method of a request' }),
    /** Below the base URL, e.g. `/chat/completions`. */
    path: z.string(),
    /** No Authorization, which `credential` stands for. */
    headers,
    credential,
    /** Exactly the bytes of the body; absent when none was sent. */
    body: bytes.exactOptional(),
  })
  .transform(({ body, ...rest }) => ({ ...rest, body: body ?? undefined }));

/** A piece of the body as it arrived: milliseconds since the request left, and how many bytes had arrived with it. */
const piece = z.tuple([z.number(), z.int()]).transform(([at, upTo]) => ({ at, upTo }));

const answer = z.object({
  status: z.int(),
  headers,
  body: bytes,
  /** Present: of a body of so many bytes, with this hash in hexadecimal, only the beginning is here, or nothing. */
  whole: z
    .object({
      bytes: z.int(),
      sha256: z.string(),
      /** Present: it cannot be read, so nobody knows whether a key is in it, and a note stands in its place. */
      isWithheld: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  /** Present: it arrived in the content coding that its headers name, and the body is here without it, as one piece. */
  decoded: z.literal(true).exactOptional(),
  pieces: z.array(piece),
  /** Milliseconds since the request left. */
  headersAt: z.number(),
  /** Milliseconds since the request left. */
  endedAt: z.number(),
});

/**
 * The outcome of a request. `uncertain` is a timeout, a cut connection or a gateway error: the service
 * may have done the work and charged for it, so the request is never sent again (CALL-2).
 */
export const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answered'), answer }),
  z.object({ kind: z.literal('not-sent'), reason: z.string() }),
  z.object({ kind: z.literal('uncertain'), reason: z.string(), answer: answer.exactOptional() }),
]);
