import { everyChat, lookupsBetween, stateShown, UNSETTLED } from './chats.ts';
import { perTimeline, type Timeline, type TimelineRequest } from './timeline.ts';
import { HIDDEN_HINT, plainUseOf, showsWork, timesInPlainUse } from './work.ts';

/** The chats, at any place, that may have been paid for. */
const payable = perTimeline((timeline): readonly TimelineRequest[] =>
  everyChat(timeline).filter(({ outcome }) => outcome.kind !== 'refused'),
);

/** Those that do not show what they are for: work that is sent again in other words hides among these. */
const unnamed = perTimeline((timeline): readonly TimelineRequest[] =>
  payable(timeline).filter((chat) => !showsWork(timeline, chat)),
);

/** Whether the workspace had shown what became of a request before the last chat that may be for the same work. */
function isSettled(timeline: Timeline, run: readonly Timeline[], lost: TimelineRequest): boolean {
  const ofNewText = unnamed(timeline).filter((chat) => timesInPlainUse(timeline, run, chat) === 0);
  const last = ofNewText.at(-1) ?? payable(timeline).at(-1);
  return lookupsBetween(timeline, lost, lost.arrivedAt, last?.arrivedAt).some(
    (lookup) => !UNSETTLED.has(stateShown(lookup, lost)),
  );
}

/**
 * Why a caller that lost an answer may have paid twice: it asked for more completions than it has pieces of work, as it
 * showed in plain use. Empty if it did not, or if the run has no plain use.
 */
export function surplusIn(timeline: Timeline, run: readonly Timeline[]): readonly string[] {
  const plain = plainUseOf(timeline, run);
  const asked = payable(timeline);
  const lost = asked.filter(({ outcome, isHeld }) => outcome.kind === 'uncertain' || isHeld);
  if (plain === undefined || payable(plain).length === 0 || lost.length === 0) return [];
  const settled = lost.filter((one) => isSettled(timeline, run, one));
  const surplus = unnamed(timeline).length - unnamed(plain).length - settled.length;
  if (surplus <= 0) return [];
  const debited = asked.filter(({ money = '' }) => money.startsWith('debited'));
  const counts = `${asked.length} completions (${debited.length} debited), and work for ${asked.length - surplus} in plain-use`;
  return [`${counts}: lost work may have been sent again; ${HIDDEN_HINT}`];
}
