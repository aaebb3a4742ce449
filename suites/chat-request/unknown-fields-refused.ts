import { byTurns } from '../../fixtures/by-turns.ts';
import { PROVIDER_PARAMETERS } from '../../fixtures/provider-parameters.ts';
import { unknownFields, unknownFieldsFirst } from '../../fixtures/unknown-fields.ts';
import type { Variation } from '../../fixtures/variation.ts';
import { check } from '../kit/check.ts';
import { isRefused } from '../kit/judging/is-refused.ts';
import { refusals } from '../kit/provoking/refusal-stimulus.ts';

const FAMILIES = new Map(PROVIDER_PARAMETERS.map(({ name, family }) => [`/${name}`, family]));

const isKnownElsewhere = ({ place }: Variation): boolean => FAMILIES.has(place);
const isUnheardOf = ({ place }: Variation): boolean => !FAMILIES.has(place);

export const knownParameterRefused = check({
  id: 'known-parameter-refused',
  clauses: ['REQ-6'],
  title: 'refuses a chat with a parameter that other services know',
  given: refusals({
    name: 'known-parameters',
    few: 22,
    first: (base, others) => familiesInTurns(unknownFieldsFirst(base, others).filter(isKnownElsewhere)),
    drawn: (bases) => unknownFields(bases).filter(isKnownElsewhere),
  }),
  holds: isRefused('REQ-6'),
});

export const unheardOfFieldRefused = check({
  id: 'unheard-of-field-refused',
  clauses: ['REQ-6'],
  title: 'refuses a chat with a field nobody knows, whatever its name resembles',
  given: refusals({
    name: 'unheard-of-fields',
    few: 12,
    first: (base, others) => unknownFieldsFirst(base, others).filter(isUnheardOf),
    drawn: (bases) => unknownFields(bases).filter(isUnheardOf),
  }),
  holds: isRefused('REQ-6'),
});

/** So that a short run meets every family of parameters. */
function familiesInTurns(variations: readonly Variation[]): readonly Variation[] {
  return byTurns(...Map.groupBy(variations, ({ place }) => FAMILIES.get(place)).values());
}
