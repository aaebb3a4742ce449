import { type NamedVariant, VARIANTS } from './sentences/variants.ts';
import { markdownTable } from '../../../suites/kit/reporting/markdown-table.ts';

/** Every variant: in which point it differs, how, and what it leaves unexercised. */
export function variantTable(): string {
  const rows = VARIANTS.map((variant) => [
    variant.point,
    `\`${variant.name}\``,
    variant.clause,
    variant.what,
    unexercisedBy(variant),
  ]);
  return markdownTable(['point', 'variant', 'clause', 'the service …', 'not exercised'], rows);
}

function unexercisedBy({ unread = [], unasked = [] }: NamedVariant): string {
  const told = unread.length === 0 ? [] : [`${unread.join(', ')} until a profile says where to read`];
  const without = unasked.length === 0 ? [] : [`${unasked.join(', ')}: nothing to ask with`];
  return [...told, ...without].join('; ');
}
