import type { z } from 'zod';
import type { worldSchema } from './world-schema.ts';

/**
 * Everything that a mock serves, and every choice where the specification leaves a point open. Only the types come from
 * the schema: the built-in world is not validated, and does not load it.
 */
export type World = Immutable<z.output<typeof worldSchema>>;

export type Immutable<Value> = Value extends object
  ? { readonly [Field in keyof Value]: Immutable<Value[Field]> }
  : Value;

export type Model = World['models'][number];
export type Workspace = World['workspaces'][number];
export type Key = World['keys'][number];
export type Limits = World['limits'];

/** How a world fills the points that the specification leaves open. */
export type Choices = World['choices'];
export type RequestChoices = Choices['request'];
export type ImageChoices = Choices['images'];
export type ResponseChoices = Choices['response'];
export type ModelListChoices = Choices['models'];
export type VisionChoices = Choices['vision'];
export type StreamChoices = Choices['stream'];
export type IdempotencyChoices = Choices['idempotency'];
