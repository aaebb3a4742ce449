import { markdownTable } from '../../../suites/kit/reporting/markdown-table.ts';
import type { Proof } from '../proof.ts';
import { HELD_OUT_FAMILIES } from './held-out-family.ts';
import { SEED_COUNTS } from './held-out-figures.ts';

const INTRODUCTION = `The catalogue of defects is known to those who arrange the inputs. These families are not: in each there is one defect
for each thing that its checks may send, and the service is wrong about that one alone. Within the caps of a live target a
run sends the most telling things always, and of the others those that its seed chooses. So what is found grows from seed
to seed; it is measured, and no goal.`;

/** How many defects are found that nobody has the inputs arranged for; nothing before it was measured. */
export function heldOutPart({ heldOut }: Proof): readonly string[] {
  if (heldOut === undefined) return [];
  const rows = HELD_OUT_FAMILIES.flatMap(({ name, story }) => {
    const figure = heldOut[name];
    if (figure === undefined) return [];
    const { defects, always, after } = figure;
    const rates = SEED_COUNTS.map((count) => `${((after[count] ?? 0) * 100).toFixed(1)} %`);
    return [[`\`${name}\``, story, String(defects), String(always), ...rates]];
  });
  const heads = SEED_COUNTS.map((count) => (count === 1 ? 'with a seed' : `after ${count} seeds`));
  const head = ['family', 'what is wrong', 'defects', 'found with every seed', ...heads];
  return ['## Defects held out', INTRODUCTION, markdownTable(head, rows)];
}
