import type { Exchange } from '../model/exchange.ts';
import type { Finding } from '../model/ruling.ts';
import type { Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { answerKind, answerShape } from './answer-shape.ts';
import { asksForStream, inputOf, namesOf } from './input-words.ts';

/** How a check ruled on one kind of input: what a diagnosis starts from. */
export interface Symptom {
  readonly check: string;
  /** What was sent, in words that are the same for every target. */
  readonly input: string;
  /** Absent: it held. */
  readonly failed?: Failed;
}

export interface Failed {
  /** What was wrong, in our words. */
  readonly kind: string;
  /** What the answer was, in words that are the same for every target. */
  readonly answer: string;
  /** What it looked like: equal only where a target names things as another does. */
  readonly shape: string;
}

/** What a check found in a run. An invariant knows the trials in which it failed, and how often it held. */
export interface Judged {
  readonly id: string;
  readonly isInvariant: boolean;
  readonly failures: readonly { readonly finding: Finding; readonly trial: Trial }[];
  readonly heldIn: readonly Trial[];
  readonly held: number;
}

/** Every symptom of a run, each pair of check and input once: it failed where it failed once. */
export function symptomsOf(
  judged: readonly Judged[],
  record: readonly Exchange[],
  info: TargetInfo,
): readonly Symptom[] {
  const sent = [...new Set(record.filter(wasAnswered).map(sourceOf))];
  return judged.flatMap((each) => (each.isInvariant ? ofInvariant(each, sent) : ofCheck(each, info)));
}

function wasAnswered({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered';
}

/** An invariant judges what others provoke: its inputs are their stimuli. */
function ofInvariant({ id, failures, held }: Judged, sent: readonly string[]): readonly Symptom[] {
  const failed = failures.flatMap(({ finding, trial: { exchanges } }): Symptom[] => {
    const [exchange] = exchanges;
    return exchange === undefined ? [] : [symptom(id, sourceOf(exchange), finding, exchange)];
  });
  const broken = new Set(failed.map(({ input }) => input));
  const sound = failed.length + held === 0 ? [] : sent.filter((input) => !broken.has(input));
  return [...firstOfEachInput(failed), ...sound.map((input) => ({ check: id, input }))];
}

function ofCheck({ id, failures, heldIn }: Judged, info: TargetInfo): readonly Symptom[] {
  const names = namesOf(info);
  const failed = failures.flatMap(({ finding, trial }): Symptom[] => {
    const shown = trial.exchanges[finding.exchange ?? 0] ?? trial.exchanges[0];
    return shown === undefined ? [] : [symptom(id, inputOf(trial, names), finding, shown)];
  });
  const held = heldIn.map((trial) => ({ check: id, input: inputOf(trial, names) }));
  return firstOfEachInput([...failed, ...held]);
}

function symptom(check: string, input: string, finding: Finding, exchange: Exchange): Symptom {
  return {
    check,
    input,
    failed: { kind: kindOf(finding), answer: answerKind(exchange), shape: answerShape(exchange) },
  };
}

function firstOfEachInput(all: readonly Symptom[]): readonly Symptom[] {
  return [...Map.groupBy(all, ({ input }) => input).values()].flatMap(([first]) => first ?? []);
}

/** The stimulus that sent an exchange. */
function sourceOf({ id, request }: Exchange): string {
  return `${id.split('/', 1)[0]}${asksForStream(request) ? ' in a stream' : ''}`;
}

const LONGEST_TEXT = 60;

/** Places in an answer that the specification names: all others have the names of one target. */
const NAMED_PLACE = /^\/choices\b/;

/** A finding without what differs from run to run, from target to target, and between an answer whole or streamed. */
function kindOf({ code, path = '', actual, exchange = 0 }: Finding): string {
  const said = actual
    .replaceAll(/"[^"]*"|'[^']*'/g, '')
    .replace(/[{[<].*$/s, '')
    .replace(/,? (?:as in|nor|since) .*$/s, '')
    .replace(/ with (?:a completion|an event stream|a list of models|the vision capabilities)$/, '')
    .replace(/ code -?\d+/, ' code')
    .replace(/; charset=[\w-]+/, '')
    .replaceAll(/-?\d+/g, '0')
    .slice(0, LONGEST_TEXT);
  const words = [code, ...(NAMED_PLACE.test(path) ? [path] : []), said.trim()];
  // How many come before a stream that is judged depends on how long each takes.
  const place = exchange === 0 ? [] : [exchange > 2 ? 'in a later exchange' : `in exchange ${exchange}`];
  return [words.join(' ').replaceAll(/-?\d+/g, '0').trim(), ...place].join(' ');
}
