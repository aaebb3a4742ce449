import { z } from 'zod';
import type { PointValue } from '../../../fixtures/clauses/open-points.ts';
import { didYouMean } from '../files/did-you-mean.ts';

const WORDS = {
  pointer: 'a JSON pointer, such as /error/code, or null where there is none',
  name: 'a name, or null where there is none',
  names: 'a sorted list of different names',
  status: 'a status from 100 to 599',
  code: 'a text or a number, or null where there is none',
  text: 'a text, or null where there is none',
  sizes: 'an object with a number of tokens for each model ID',
} as const;

/** What a pin of this kind may be, for people. */
export function pinText(value: PointValue): string {
  return typeof value === 'string' ? WORDS[value] : `one of ${value.join(', ')}`;
}

/** The schema of what an open point may be pinned to; its messages say what that is, and what was most likely meant. */
export function pinSchema(value: PointValue): z.ZodType {
  const error = ({ input }: { readonly input?: unknown }): string => {
    const near = typeof input === 'string' && typeof value !== 'string' ? didYouMean(input, value) : '';
    return `must be ${pinText(value)}${near}`;
  };
  switch (value) {
    case 'pointer':
      return z
        .string({ error })
        .regex(/^(?:\/(?:[^~/]|~[01])*)*$/, { error })
        .nullable();
    case 'name':
      return z.string({ error }).min(1, { error }).nullable();
    case 'names':
      return z.array(z.string({ error }), { error }).refine(isSortedSet, { error });
    case 'status':
      return z.int({ error }).min(100, { error }).max(599, { error });
    case 'code':
      return z.union([z.string().min(1, { error }), z.number(), z.null()], { error });
    case 'text':
      return z.string({ error }).nullable();
    case 'sizes':
      return z.record(z.string(), z.int({ error }).positive({ error }), { error });
    default:
      return z.enum(value, { error });
  }
}

function isSortedSet(names: readonly string[]): boolean {
  const sorted = [...new Set(names)].toSorted();
  return sorted.length === names.length && sorted.every((name, i) => name === names[i]);
}
