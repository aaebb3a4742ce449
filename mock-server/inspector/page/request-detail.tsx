import type { ComponentChildren } from 'preact';
import type { JournalEntry } from '../../journal/journal.ts';
import type { ShownBody, ShownExchange, ShownHeader } from '../../journal/shown-exchange.ts';
import { control, controlOf, useControl } from './control-api.ts';
import { asCurl, clockTime, courseOf, durationText, moneyOf, moneyText, statusOf } from './entry-text.ts';
import { Action, CopyAction, Facts } from './parts.tsx';

interface Props {
  readonly entry: JournalEntry;
  /** The requests with its Idempotency-Key, if it was repeated. */
  readonly group: readonly JournalEntry[];
  readonly choose: (id: number | undefined) => void;
}

/** One request with all that is known of it. */
export function RequestDetail({ entry, group, choose }: Props): ComponentChildren {
  const { sandbox, n, method, path } = entry;
  const version = `${entry.ended} ${entry.ledger.length} ${entry.status}`;
  const { answer, problem } = useControl<ShownExchange>(`${controlOf(sandbox)}/journal/${n}`, version);
  const { text, tone } = statusOf(entry);
  const close = (): void => choose(undefined);
  return (
    <aside aria-label="The chosen request" onKeyDown={(event) => event.key === 'Escape' && close()}>
      <h2>
        <b class={tone}>{text}</b> {method} {path}
        <button class="plain close" aria-label="Close" onClick={close}>
          ×
        </button>
      </h2>
      {problem !== undefined && <p role="alert">{problem}</p>}
      <Facts facts={factsOf(entry)} />
      <p>
        {moneyText(entry)} {moneyOf(entry)?.state === 'under_review' && <Resolve entry={entry} />}
      </p>
      {group.length > 1 && <RepeatList {...{ entry, group, choose }} />}
      {answer !== undefined && (
        <>
          {path.startsWith('/') && <CopyAction title="as curl" text={() => asCurl(answer, baseOf(entry))} />}
          <Course exchange={answer} />
          <Part title="Request" start={`${method} ${answer.request?.url ?? path}`} part={answer.request} />
          <Part title="Answer" start={`${answer.response?.status}`} part={answer.response} />
        </>
      )}
    </aside>
  );
}

/** Resolves a request under review, as the workspace would. */
function Resolve({ entry: { sandbox, requestId } }: Pick<Props, 'entry'>): ComponentChildren {
  const resolve = (outcome: 'completed' | 'failed') => async (): Promise<string> => {
    await control('POST', `${controlOf(sandbox)}/requests/${requestId}/resolution`, { outcome });
    return `${requestId} is resolved as ${outcome}`;
  };
  return (
    <span class="buttons">
      <Action title="Completed: debit it" run={resolve('completed')} />
      <Action title="Failed: release it" run={resolve('failed')} />
    </span>
  );
}

function factsOf(entry: JournalEntry): readonly (readonly [string, string | null])[] {
  return [
    ['Request ID', entry.requestId],
    ['Idempotency-Key', entry.idempotencyKey],
    ['Key', entry.key],
    ['Model', entry.model && `${entry.model}${entry.stream ? ', streamed' : ''}`],
    ['Answer', entry.answer && `chosen by the rule ${entry.answer}`],
    ['Arrived', `${clockTime(entry.realAt)}, in the world ${new Date(entry.at).toISOString()}`],
    ['Took', durationText(entry.ms)],
    ['Sandbox', entry.sandbox],
    ['Written', `${entry.bytesWritten} bytes`],
  ];
}

/** The address before `/v1`. */
function baseOf({ sandbox }: JournalEntry): string {
  return sandbox === null ? location.origin : `${location.origin}/sandboxes/${sandbox}`;
}

function RepeatList({ entry, group, choose }: Props): ComponentChildren {
  return (
    <>
      <h3>Requests with this Idempotency-Key</h3>
      <ol>
        {group.map((each) => (
          <li key={each.id}>
            <button class="plain" aria-current={each.id === entry.id} onClick={() => choose(each.id)}>
              {clockTime(each.realAt)} <b class={statusOf(each).tone}>{statusOf(each).text}</b> {roleOf(each)}
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

function roleOf(entry: JournalEntry): string {
  const isReplay = moneyOf(entry) === undefined && entry.status === 200;
  return isReplay ? 'replayed: the stored answer, without a debit' : moneyText(entry);
}

function Course({ exchange }: { readonly exchange: ShownExchange }): ComponentChildren {
  return (
    <>
      <h3>Course</h3>
      <ol class="course">
        {courseOf(exchange).map(({ ms, what, isFault }, index) => (
          <li key={index} class={isFault ? 'warn' : ''}>
            <span class="idle">{ms === null ? '' : `${ms.toFixed(2)} ms`}</span> {what}
          </li>
        ))}
      </ol>
    </>
  );
}

interface PartProps {
  readonly title: string;
  /** What stands in the first line. */
  readonly start: string;
  readonly part: { readonly headers: readonly ShownHeader[]; readonly body: ShownBody } | null;
}

/** Headers and body of a request or an answer. */
function Part({ title, start, part }: PartProps): ComponentChildren {
  return (
    <details open>
      <summary>{title}</summary>
      {part === null ? (
        <p class="quiet">There is none, or the journal no longer holds it.</p>
      ) : (
        <>
          <p>
            <code>{start}</code>
          </p>
          <Facts facts={part.headers} />
          <pre tabIndex={0}>{bodyText(part.body)}</pre>
        </>
      )}
    </details>
  );
}

function bodyText(body: ShownBody): string {
  if (body === null) return '(The body was too large to read.)';
  if (body.bytes === 0) return '(No body.)';
  return 'text' in body ? indented(body.text) : `(${body.bytes} bytes, in base64)\n${body.base64}`;
}

/** JSON in lines; any other text as it is. */
function indented(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value, undefined, 2);
  } catch {
    return text;
  }
}
