import { type ClauseId, CLAUSES } from '../../fixtures/clauses/clauses.ts';

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a clause leaves open: any value in the contract, and what a world chooses in the description of its mock. */
export function openPoint(clause: ClauseId, chosen: JsonSchema = {}): JsonSchema {
  return { 'x-open': clause, description: CLAUSES[clause].statement, ...chosen };
}

/** An object with these members, all of them required. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

/** The same, without any other member. */
export function closedObjectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { ...objectOf(properties), additionalProperties: false };
}

export const TEXT: JsonSchema = { type: 'string' };
