import { z } from 'zod';
import type { Shape } from './rule-line.ts';

/** The fields of a rule with what each means, its choices and its default; a field of a field with a dot. */
export function describedFields(shape: Shape): readonly (readonly [field: string, meaning: string])[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const described = z.toJSONSchema(schema, { io: 'input' });
    const { description = '', default: byDefault, enum: choices, properties } = described;
    const values = [
      ...(choices === undefined ? [] : [choices.join(', ')]),
      ...(byDefault === undefined || byDefault === '' ? [] : [`default ${JSON.stringify(byDefault)}`]),
    ];
    const meaning = values.length === 0 ? description : `${description} (${values.join('; ')})`;
    if (properties === undefined || name === 'request') return [[name, meaning] as const];
    return Object.entries(properties).map(([member]) => [`${name}.${member}`, meaning] as const);
  });
}
