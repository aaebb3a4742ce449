import type { JudgedDraw } from '../running/judge-draw.ts';
import type { Simplification, TrialEntry } from './entry.ts';
import { recordRuling } from './recorded-ruling.ts';

/** A draw that was sent and judged, as a line of a journal: its exchanges have lines of their own. */
export function trialEntry(judged: JudgedDraw, nth: number, simplifies?: Simplification): TrialEntry {
  const { id, stimulus, among, trial, missing, rulings } = judged;
  const { exchanges, control, ...data } = trial;
  return {
    type: 'trial',
    id,
    stimulus,
    ...(among !== undefined && { among }),
    nth,
    exchanges: exchanges.map((exchange) => exchange.id),
    ...(control !== undefined && { control: control.id }),
    data,
    ...(missing !== undefined && { missing: recordRuling(missing) }),
    rulings: Object.fromEntries(rulings.map(([check, ruling]) => [check.id, recordRuling(ruling)])),
    ...(simplifies !== undefined && { simplifies }),
  };
}
