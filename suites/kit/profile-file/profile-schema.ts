import { z } from 'zod';
import { OPEN_POINTS, isOpenPointName, openPoints } from '../../../fixtures/clauses/open-points.ts';
import { didYouMean } from '../files/did-you-mean.ts';
import { pinSchema } from './pin-schema.ts';

/** A value of another kind would look like drift of a target that does what it always did. */
function checkPins(pins: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  for (const [name, value] of Object.entries(pins)) {
    if (!isOpenPointName(name)) continue;
    const [issue] = pinSchema(OPEN_POINTS[name].value).safeParse(value).error?.issues ?? [];
    if (issue !== undefined)
      context.addIssue({ code: 'custom', path: [name, ...issue.path], message: issue.message, input: value });
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
export const profileSchema = z
  .strictObject({
    $schema: z.string().exactOptional().describe('Where this schema is, for editors.'),
    format: z.literal('chat-conformance/profile'),
    version: z.literal(1),
    notes: z
      .array(z.string())
      .exactOptional()
      .describe('For people: where this profile comes from, and what it leaves out.'),
    name: z.string().min(1).exactOptional().describe('What reports call the target.'),
    model: z
      .string()
      .min(1)
      .exactOptional()
      .describe('The model that requests go to, in place of the cheapest.'),
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
