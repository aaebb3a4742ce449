import type { ComponentChildren } from 'preact';
import type { ShownBody, ShownEntry, ShownExchange, ShownHeader } from '../../journal/shown-exchange.ts';
import { control, controlOf, useControl } from './control-api.ts';
import {
  asCurl,
  clockTime,
  courseOf,
  durationText,
  moneyOf,
  moneyText,
  partedAt,
  saidIn,
  statusOf,
} from './entry-text.ts';
import { Action, baseOf, CopyAction, Facts, worldName } from './parts.tsx';
import { go, hrefOf } from './route.ts';
import { answerLine } from './rule-line.ts';

interface Props {
  readonly entry: ShownEntry;
  /** The requests with its Idempotency-Key, if it was repeated. */
  readonly group: readonly ShownEntry[];
}

const close = (): void => go({ request: undefined });

/** One request with all that is known of it. */
export function RequestDetail({ entry, group }: Props): ComponentChildren {
  const { sandbox, n, method, path } = entry;
  const version = `${entry.ended} ${entry.ledger.length} ${entry.status}`;
  const { answer, problem } = useControl<ShownExchange>(`${controlOf(sandbox)}/journal/${n}`, version);
  const { text, tone } = statusOf(entry);
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
      {group.length > 1 && <RepeatList {...{ entry, group }} />}
      {answer !== undefined && (
        <>
          {path.startsWith('/') && <Again exchange={answer} />}
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

function factsOf(entry: ShownEntry): readonly (readonly [string, string | null])[] {
  return [
    ['Request ID', entry.requestId],
    ['Idempotency-Key', entry.idempotencyKey],
    ['Key', entry.key],
    ['Model', entry.model && `${entry.model}${entry.stream ? ', streamed' : ''}`],
    ['Answer', entry.answer && `chosen by the rule ${entry.answer}`],
    ['Arrived', `${clockTime(entry.realAt)}, in the world ${new Date(entry.at).toISOString()}`],
    ['Took', durationText(entry.ms)],
    ['World', worldName(entry.sandbox)],
    ['Error', entry.code],
    ['Written', `${entry.bytesWritten} bytes`],
  ];
}

/** What can be made of a request. */
function Again({ exchange }: { readonly exchange: ShownExchange }): ComponentChildren {
  const { sandbox, n, idempotencyKey, prompt } = exchange.entry;
  const send = (more: object) => async (): Promise<string> => {
    await control('POST', `${controlOf(sandbox)}/journal/${n}/send`, more);
    return `Sent again to ${worldName(sandbox)}`;
  };
  return (
    <p class="buttons">
      <CopyAction title="as curl" text={() => asCurl(exchange, baseOf(sandbox))} />
      <Action title="Send again" run={send({})} />
      {idempotencyKey !== null && (
        <Action
          title="Send with a new key"
          run={() => send({ idempotencyKey: `again-${Date.now().toString(36)}` })()}
        />
      )}
      {prompt !== null && (
        <a href={hrefOf({ view: 'rules', world: sandbox ?? '', plan: 'answers', line: likeThis(exchange) })}>
          Answer like this
        </a>
      )}
    </p>
  );
}

/** A rule that gives the same answer to the same prompt. What the mock hid of a prompt occurs in none. */
function likeThis({ entry: { prompt }, response }: ShownExchange): string {
  const parts = (prompt ?? '').split(/\(a key\)|\ufffd/).toSorted((one, other) => other.length - one.length);
  return answerLine(saidIn(response?.body ?? null), parts[0] ?? '');
}

function RepeatList({ entry, group }: Props): ComponentChildren {
  return (
    <>
      <h3>Requests with this Idempotency-Key</h3>
      <ol>
        {group.map((each) => (
          <li key={each.id}>
            <a href={hrefOf({ request: String(each.id) })} aria-current={each.id === entry.id}>
              {clockTime(each.realAt)} <b class={statusOf(each).tone}>{statusOf(each).text}</b> {roleOf(each)}
            </a>
          </li>
        ))}
      </ol>
    </>
  );
}

function roleOf(entry: ShownEntry): string {
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
  readonly part: {
    readonly headers: readonly ShownHeader[];
    readonly body: ShownBody;
    /** Bytes of the body that left before it was cut. */
    readonly left?: number | null;
  } | null;
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
          {typeof part.left === 'number' ? (
            <CutBody body={part.body} left={part.left} />
          ) : (
            <pre tabIndex={0}>{bodyText(part.body)}</pre>
          )}
        </>
      )}
    </details>
  );
}

/** A body of which a part left. */
function CutBody({ body, left }: { readonly body: ShownBody; readonly left: number }): ComponentChildren {
  const parts = partedAt(body, left);
  return (
    <>
      <p>
        <b class="bad">
          {left} of {body?.bytes} bytes of the body left.
        </b>{' '}
        {parts !== undefined && left < (body?.bytes ?? 0) && 'What is struck through did not.'}
      </p>
      <pre tabIndex={0}>
        {parts === undefined ? bodyText(body) : parts[0]}
        <del>{parts?.[1]}</del>
      </pre>
    </>
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
