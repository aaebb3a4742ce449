import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import type { CheckResult, Evidence, ScenarioResult, ShownExchange } from '../model/summary.ts';

/** Lines beside a label. No text is escaped or cut yet. */
export interface Part {
  readonly label: string;
  readonly lines: readonly string[];
  /** Present: the lines are those of a request or an answer. */
  readonly message?: Message;
}

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

/** Everything known about a failure, and how to check it again. */
export function failureParts({ clauses, evidence, reason, hint, again }: CheckResult) {
  return {
    clauses: { label: 'clause', lines: clauses.map(clauseText) },
    evidence: evidence.length === 0 ? [part('reason', reason)] : evidence.map(evidenceParts),
    commands: [...part('setting', hint), ...part('again', again)],
  };
}

function clauseText(id: CheckResult['clauses'][number]): string {
  return `${id} (${CLAUSES[id].level}): ${CLAUSES[id].statement}`;
}

function part(label: string, ...lines: readonly (string | undefined)[]): readonly Part[] {
  const told = lines.filter((line): line is string => line !== undefined && line !== '');
  return told.length === 0 ? [] : [{ label, lines: told }];
}

/** A request or an answer: its start, its headers and its body, where there are any. */
export function messagePart(label: string, message: Message): Part {
  const headers = Object.entries(message.headers).map(([name, value]) => `${name}: ${value}`);
  const lines = [message.start, headers.join(' · '), message.body].filter((line) => line !== '');
  return { label, lines, message };
}

function evidenceParts({ finding, exchange, control, curl, timeline = [] }: Evidence): readonly Part[] {
  const { expected, actual, path } = finding;
  const place = control?.difference;
  return [
    ...part('expected', expected),
    ...part('actual', actual),
    ...part('at', path === '' ? 'the whole body' : path),
    messagePart('request', requestOf(exchange, place)),
    ...part('', place && `differs only in ${place} from an accepted request`),
    answerPart(exchange, path),
    ...(control === undefined ? [] : [messagePart('accepted', requestOf(control.exchange, place))]),
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
  return messagePart('answer', { ...answer, start, place });
}

/** What a caller did in a scenario: what each check says of it, everything that it sent, and what it wrote. */
export function scenarioParts({ verdicts, timeline, output }: ScenarioResult): readonly Part[] {
  const alike = Map.groupBy(verdicts, ({ verdict, reason }) => [verdict, reason].filter(Boolean).join(': '));
  return [
    ...[...alike].flatMap(([words, same]) => part('checks', words, same.map(({ check }) => check).join(' '))),
    ...part('timeline', ...timeline),
    ...part('output', ...output.split('\n').filter((line) => line.trim() !== '')),
  ];
}
