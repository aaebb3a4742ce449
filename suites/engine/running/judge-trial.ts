import { ControlError } from '../control/control-connection.ts';
import type { Draw } from '../inputs/draws.ts';
import { counterpartNotAccepted } from '../inputs/judging/is-refused.ts';
import { inputOf } from '../inputs/remembered-draws.ts';
import type { JudgedTrial } from '../journal/recording.ts';
import { type Check, isOwn } from '../model/check.ts';
import type { TrialEntry } from '../model/entry-schema.ts';
import { type Exchange, isCutShort, isOutOfCredits, isWithheldCounterpart } from '../model/exchange.ts';
import {
  asError,
  inconclusive,
  notExercised,
  notSent,
  type Ruling,
  type RulingOrError,
  withDuties,
} from '../model/ruling.ts';
import { exchangesOf, type Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import type { Wire } from '../sending/wire.ts';

/** What everything that sends in a run has in common. */
export interface Sending {
  readonly wire: Wire;
  readonly info: TargetInfo;
}

/** `nth`: its place in the plan. `id`: that of the draw unless given. */
type Place = Pick<TrialEntry, 'nth' | 'simplifies'> & { readonly id?: string };

/** Sends a draw, judges its trial by each check, and writes that into the journal. Never rejects. */
export async function judgeDraw(
  draw: Draw,
  checks: readonly Check[],
  { wire, info }: Sending,
  { nth, id = draw.id, simplifies }: Place,
): Promise<JudgedTrial> {
  const { ruling: redacted, value } = wire.redactor;
  const { name: stimulus } = draw.stimulus;
  let trial: Trial = { exchanges: [] };
  let missing: RulingOrError | undefined;
  try {
    trial = await draw.send(wire.sender(id), info);
    missing = missingAnswer(trial, (exchange) => wire.gaveUpOn(exchange));
  } catch (error) {
    missing = error instanceof ControlError ? error.ruling : asError(error);
  }
  const { exchanges, counterpart, ...facts } = trial;
  const data = { ...facts, input: inputOf(draw) };
  const entry = {
    type: 'trial',
    id,
    stimulus,
    ...(draw.exampleCount !== undefined && { among: draw.exampleCount }),
    nth,
    exchanges: exchanges.map((exchange) => exchange.id),
    ...(counterpart !== undefined && { control: counterpart.id }),
    // Nothing but the code of a user draws keys.
    data: isOwn({ id: stimulus }) ? value(data) : data,
    ...(missing !== undefined && { missing: redacted(missing) }),
    rulings: Object.fromEntries(
      checks.map((check) => [check.id, redacted(rulingOf(check, trial, info, missing))]),
    ),
    ...(simplifies !== undefined && { simplifies }),
  } as const;
  wire.append(entry);
  return { entry, trial };
}

/** The ruling on a trial that lacks an answer; undefined if it lacks none. */
export function missingAnswer(trial: Trial, gaveUpOn?: (exchange: Exchange) => boolean): Ruling | undefined {
  const [first] = trial.exchanges;
  const all = exchangesOf(trial);
  if (all.length === 0) return notExercised('no request was sent');
  // A withheld counterpart does not count; the first exchange is the one under test.
  return all
    .filter((exchange) => exchange === first || !isWithheldCounterpart(exchange))
    .map((exchange) => withoutAnswer(exchange, gaveUpOn))
    .find((ruling) => ruling !== undefined);
}

function withoutAnswer(exchange: Exchange, gaveUpOn?: (exchange: Exchange) => boolean): Ruling | undefined {
  const { outcome } = exchange;
  if (outcome.kind === 'not-sent') return notSent(outcome.reason);
  if (outcome.kind === 'uncertain') return inconclusive(`its outcome is uncertain (${outcome.reason})`);
  if (gaveUpOn?.(exchange) === true) return inconclusive('the rate limit refused it every time it was sent');
  if (!isCutShort(outcome.answer)) return undefined;
  const { body, whole } = outcome.answer;
  return inconclusive(`its answer has ${whole?.bytes} bytes, of which ${body.length} are kept`);
}

/** `missing`: the ruling on a trial that lacks an answer, unless the check can rule on it nevertheless. */
export function rulingOf(check: Check, trial: Trial, info: TargetInfo, missing?: RulingOrError) {
  try {
    const ruling = judged(check, trial, info, missing);
    return ruling instanceof Error ? ruling : withDuties(ruling, check.decides, trial);
  } catch (error) {
    return asError(error);
  }
}

function judged(check: Check, trial: Trial, info: TargetInfo, missing?: RulingOrError): RulingOrError {
  const { exchanges, counterpart } = trial;
  const isUncertain = exchanges.some(({ outcome }) => outcome.kind === 'uncertain');
  if (missing !== undefined && (!isUncertain || check.tellsUncertain === undefined)) return missing;
  const [first, ...more] = exchanges.map(assumeAccepted);
  if (first === undefined) return notExercised('no request was sent');
  if (missing !== undefined && counterpart !== undefined && counterpart.outcome.kind !== 'answered')
    return missing;
  const accepted = counterpart && assumeAccepted(counterpart);
  const unaccepted = accepted && counterpartNotAccepted(accepted, info);
  if (unaccepted !== undefined) return unaccepted;
  const whole = {
    ...trial,
    exchanges: [first, ...more],
    ...(accepted && { counterpart: accepted }),
  } as const;
  if (missing !== undefined) return check.tellsUncertain?.(whole, info) ?? missing;
  return exceptUntold(check.holds(whole, info), trial);
}

const REFUSED_ALONE =
  'it was refused, but perhaps for another reason: its accepted counterpart would cost a completion';

/**
 * A refusal beside a counterpart that was withheld is no pass, because a service that refuses everything passes nothing; a
 * violation does not depend on it. What is refused for lack of credits would perhaps be served with more: it neither
 * holds nor shows an open point.
 */
function exceptUntold(ruling: Ruling, trial: Trial): Ruling {
  const all = exchangesOf(trial);
  if (ruling.kind === 'holds' && all.some(isWithheldCounterpart)) return inconclusive(REFUSED_ALONE);
  if ((ruling.kind === 'holds' || ruling.kind === 'observed') && all.some(isOutOfCredits))
    return inconclusive('it was refused for lack of credits: status 402');
  return ruling;
}

const COMPLETION = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' } }] };

/** A counterpart that was withheld is taken for accepted, until the check has ruled. */
export function assumeAccepted(exchange: Exchange): Exchange {
  if (!isWithheldCounterpart(exchange)) return exchange;
  const answer = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(COMPLETION)),
    pieces: [],
    headersAt: 0,
    endedAt: 0,
  };
  return { ...exchange, outcome: { kind: 'answered', answer } };
}
