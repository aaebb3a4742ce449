import type { ComponentChildren } from 'preact';
import type { ShownBody, ShownEntry, ShownExchange } from '../../journal/shown-exchange.ts';
import { controlOf, told, useControl } from './control-api.ts';
import {
  asCurl,
  clockTime,
  courseOf,
  durationText,
  moneyText,
  partedAt,
  saidIn,
  statusOf,
} from './entry-text.ts';
import { Action, baseOf, CopyAction, Facts, worldName } from './parts.tsx';
import { go, hrefOf } from './route.ts';
import { lineOf } from './rule-line.ts';

interface Props {
  readonly entry: ShownEntry;
  /** How many requests have its Idempotency-Key. */
  readonly times: number;
}

const close = (): void => go({ request: undefined });

export function RequestDetail({ entry, times }: Props): ComponentChildren {
  const { sandbox, n, method, path, idempotencyKey } = entry;
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
        {moneyText(entry)} {entry.ledger.at(-1)?.state === 'under_review' && <Resolve entry={entry} />}
      </p>
      {times > 1 && (
        <a href={hrefOf({ filter: `order:${idempotencyKey}` })}>{times} requests with this Idempotency-Key</a>
      )}
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
  const path = `${controlOf(sandbox)}/requests/${requestId}/resolution`;
  const resolve = (outcome: 'completed' | 'failed') => (): Promise<string> =>
    told(`${requestId} is resolved as ${outcome}`, 'POST', path, { outcome });
  return (
    <span class="buttons">
      <Action title="Completed: debit it" run={resolve('completed')} />
      <Action title="Failed: release it" run={resolve('failed')} />
    </span>
  );
}

function factsOf(entry: ShownEntry): Readonly<Record<string, string | null>> {
  const { requestId, idempotencyKey, key, model, stream, answer, realAt, at, ms, sandbox, code } = entry;
  return {
    'Request ID': requestId,
    'Idempotency-Key': idempotencyKey,
    Key: key,
    Model: model && `${model}${stream ? ', streamed' : ''}`,
    Answer: answer && `chosen by the rule ${answer}`,
    Arrived: `${clockTime(realAt)}, in the world ${new Date(at).toISOString()}`,
    Took: durationText(ms),
    World: worldName(sandbox),
    Error: code,
  };
}

/** What can be made of a request. */
function Again({ exchange }: { readonly exchange: ShownExchange }): ComponentChildren {
  const { sandbox, n, idempotencyKey, prompt } = exchange.entry;
  const send = (more: object): Promise<string> =>
    told(`Sent again to ${worldName(sandbox)}`, 'POST', `${controlOf(sandbox)}/journal/${n}/send`, more);
  return (
    <p class="buttons">
      <CopyAction title="as curl" text={() => asCurl(exchange, baseOf(sandbox))} />
      <Action title="Send again" run={() => send({})} />
      {idempotencyKey !== null && (
        <Action
          title="Send with a new key"
          run={() => send({ idempotencyKey: `again-${Date.now().toString(36)}` })}
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
  return lineOf([
    ['text', saidIn(response?.body ?? null)],
    ['contains', parts[0] ?? ''],
  ]);
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
  readonly part: ShownExchange['request'] | ShownExchange['response'];
}

function Part({ title, start, part }: PartProps): ComponentChildren {
  if (part === null) return <p>{title}: there is none, or the journal no longer holds it.</p>;
  const { headers, body } = part;
  const left = 'left' in part ? part.left : null;
  const [sent, rest] = (left === null ? undefined : partedAt(body, left)) ?? [bodyText(body), ''];
  return (
    <details open>
      <summary>{title}</summary>
      <code>{start}</code>
      <Facts facts={headers} />
      {left !== null && (
        <p class="bad">
          {left} of {body?.bytes} bytes of the body left. {rest !== '' && 'What is struck through did not.'}
        </p>
      )}
      <pre tabIndex={0}>
        {sent}
        {rest !== '' && <del>{rest}</del>}
      </pre>
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
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
