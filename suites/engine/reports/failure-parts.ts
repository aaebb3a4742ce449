import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import type { CheckResult, Evidence, ScenarioResult, ShownExchange } from '../model/summary.ts';

/** Lines beside a label. No text is escaped or cut yet. */
export interface Labelled {
  readonly label: string;
  readonly lines: readonly string[];
}

export type Part = Labelled | { readonly label: string; readonly message: Message };

/** A request or an answer. */
export interface Message {
  /** Method and path, or the status. */
  readonly start: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty: none. */
  readonly body: string;
  /** The place in the body that matters: a JSON pointer, or anything else where there is none. */
  readonly place?: string | undefined;
}

/** Everything known about a failure; `again`: the command that runs only this check again. */
export function failureParts(
  { clauses, evidence, reason, hint }: CheckResult,
  again: string | undefined,
): { clauses: Labelled; evidence: readonly (readonly Part[])[]; commands: readonly Labelled[] } {
  return {
    clauses: { label: 'clause', lines: clauses.map(clauseText) },
    evidence: evidence.length === 0 ? [[{ label: 'reason', lines: [reason] }]] : evidence.map(evidenceParts),
    commands: [...part('setting', hint), ...part('again', again)],
  };
}

function clauseText(id: CheckResult['clauses'][number]): string {
  return `${id} (${CLAUSES[id].level}): ${CLAUSES[id].statement}`;
}

function part(label: string, ...lines: readonly (string | undefined)[]): readonly Labelled[] {
  const told = lines.filter((line): line is string => line !== undefined && line !== '');
  return told.length === 0 ? [] : [{ label, lines: told }];
}

function evidenceParts({ finding, exchange, control, curl, timeline = [] }: Evidence): readonly Part[] {
  const { expected, actual, path } = finding;
  const differs = control && `differs only in ${control.difference} from an accepted request`;
  return [
    ...part('expected', expected),
    ...part('actual', actual),
    ...part('at', path === '' ? 'the whole body' : path),
    { label: 'request', message: requestOf(exchange, control?.difference) },
    ...part('', differs),
    answerPart(exchange, path),
    ...(control === undefined
      ? []
      : [{ label: 'accepted', message: requestOf(control.exchange, control.difference) }]),
    ...part('timeline', ...timeline),
    ...part('curl', curl),
  ];
}

export function requestOf({ request }: ShownExchange, place?: string): Message {
  const { method, path, credential, headers, body = '' } = request;
  return { start: `${method} ${path} (key: ${credential})`, headers, body, place };
}

/** The answer, or why there is none. */
function answerPart({ answer, outcome }: ShownExchange, place: string | undefined): Part {
  if (answer === undefined) return { label: 'answer', lines: [outcome] };
  const start = outcome === 'answered' ? String(answer.status) : `${outcome}; ${answer.status}`;
  return { label: 'answer', message: { ...answer, start, place } };
}

/** What a caller did in a scenario: what each check says of it, everything that it sent, and what it wrote. */
export function scenarioParts({ verdicts, timeline, output }: ScenarioResult): readonly Part[] {
  const alike = Map.groupBy(
    verdicts,
    ({ verdict, reason }) => `${verdict}${reason === '' ? '' : `: ${reason}`}`,
  );
  return [
    ...[...alike].flatMap(([words, same]) => part('checks', words, same.map(({ check }) => check).join(' '))),
    ...part('timeline', ...timeline),
    ...part('output', ...output.split('\n').filter((line) => line.trim() !== '')),
  ];
}
