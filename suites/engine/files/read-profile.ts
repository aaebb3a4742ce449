import { z } from 'zod';
import {
  OPEN_POINTS,
  isOpenPointName,
  openPoints,
  type PointValue,
} from '../../../fixtures/clauses/open-points.ts';
import { didYouMean } from '../../../fixtures/words/did-you-mean.ts';
import type { Profile } from '../model/target.ts';
import { readJsonFile } from '../text/read-json-file.ts';

/**
 * Reads and checks a profile.
 * @throws {FileError} At the first problem.
 */
export function readProfile(file: string): Profile {
  const {
    $schema: _schema,
    format: _format,
    version: _version,
    notes: _notes,
    ...profile
  } = readJsonFile(file, 'profile', profileSchema);
  return profile;
}

/** A pin of the wrong kind would be reported as drift of a target that did not change. */
function checkPins(pins: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  for (const [name, value] of Object.entries(pins)) {
    if (!isOpenPointName(name)) continue;
    const { value: allowed } = OPEN_POINTS[name];
    const [issue] = pinSchema(allowed).safeParse(value).error?.issues ?? [];
    const near = typeof value === 'string' && typeof allowed !== 'string' ? didYouMean(value, allowed) : '';
    const message = `must be ${pinText(allowed)}${near}`;
    if (issue !== undefined)
      context.addIssue({ code: 'custom', path: [name, ...issue.path], message, input: value });
  }
}

function unknownPoint(name: unknown): string {
  return `must be an open point${didYouMean(String(name), Object.keys(OPEN_POINTS))}`;
}

const modelFacts = z.strictObject({
  contextTokens: z.int().positive().exactOptional().describe('Tokens of input and output together.'),
  vision: z.boolean().exactOptional().describe('Whether image input is enabled.'),
});

/** A profile as a file holds it. */
const profileSchema = z
  .strictObject({
    $schema: z.string().exactOptional().describe('Where this schema is, for editors.'),
    format: z.literal('chat-conformance/profile'),
    version: z.literal(1),
    notes: z
      .array(z.string())
      .exactOptional()
      .describe('For people: where this profile comes from, and what it leaves out.'),
    name: z.string().min(1).exactOptional().describe('What reports call the target.'),
    model: z.string().min(1).exactOptional().describe('The model for requests, instead of the cheapest.'),
    models: z.record(z.string(), modelFacts).exactOptional().describe('Facts about models, by ID.'),
    pins: z
      .record(z.string().refine(isOpenPointName, { error: ({ input }) => unknownPoint(input) }), z.json())
      .superRefine(checkPins)
      .exactOptional()
      .describe('The value that each of these open points must have.'),
  })
  .describe('What is known of a target beyond the specification.');

/** The JSON Schema of a profile, in which each open point says what it is. */
export function profileJsonSchema(): object {
  const schema = z.toJSONSchema(profileSchema, { io: 'input' });
  const points = openPoints().map(({ name, clause, what, value }) => {
    const { $schema: _, ...shape } = z.toJSONSchema(pinSchema(value), { io: 'input' });
    return [name, { description: `${clause}: ${what}`, ...shape }];
  });
  const pins = {
    description: 'The value that each of these open points must have.',
    type: 'object',
    properties: Object.fromEntries(points),
    additionalProperties: false,
  };
  return { ...schema, title: 'chat-conformance profile', properties: { ...schema.properties, pins } };
}

type Allowed = readonly [words: string, schema: z.ZodType];

/** What a pin may be, where it is no word of a list. */
const ALLOWED: Readonly<Record<Extract<PointValue, string>, Allowed>> = {
  pointer: [
    'a JSON pointer, such as /error/code, or null if absent',
    z.nullable(z.string().regex(/^(?:\/(?:[^~/]|~[01])*)*$/)),
  ],
  member: [
    'a name, a JSON pointer within the usage, such as /input/tokens, or null if absent',
    z.nullable(z.string().regex(/^(?:[^/]+|(?:\/(?:[^~/]|~[01])*)+)$/)),
  ],
  names: ['a sorted list of distinct names', z.array(z.string()).refine(isSortedSet)],
  status: ['an HTTP status from 100 to 599', z.int().min(100).max(599)],
  code: ['a string or a number, or null if absent', z.union([z.string().min(1), z.number(), z.null()])],
  text: ['a string, or null if absent', z.string().nullable()],
  sizes: ['an object that maps model IDs to numbers of tokens', z.record(z.string(), z.int().positive())],
};

/** The values that a pin may have, in words. */
export function pinText(value: PointValue): string {
  return typeof value === 'string' ? ALLOWED[value][0] : `one of ${value.join(', ')}`;
}

export function pinSchema(value: PointValue): z.ZodType {
  return typeof value === 'string' ? ALLOWED[value][1] : z.enum(value);
}

function isSortedSet(names: readonly string[]): boolean {
  const sorted = [...new Set(names)].toSorted();
  return sorted.length === names.length && sorted.every((name, i) => name === names[i]);
}
