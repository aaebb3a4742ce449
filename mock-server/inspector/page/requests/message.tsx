import type { ComponentChildren } from 'preact';
import type { ShownBody, ShownHeader } from '../../../journal/shown-exchange.ts';

interface Props {
  /** What stands in its first line. */
  readonly start: string;
  /** Null: there is none, or it is not kept any more. */
  readonly message: { readonly headers: readonly ShownHeader[]; readonly body: ShownBody } | null;
}

/** Headers and body of a request or an answer. */
export function Message({ start, message }: Props): ComponentChildren {
  if (message === null)
    return <p class="quiet">There is none, or later requests took its room in the journal.</p>;
  return (
    <>
      <p class="start">{start}</p>
      <dl class="headers">
        {message.headers.map(([name, value]) => (
          <div key={`${name} ${value}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Body body={message.body} />
    </>
  );
}

function Body({ body }: { readonly body: ShownBody }): ComponentChildren {
  if (body === null) return <p class="quiet">The body was too large to read.</p>;
  if (body.bytes === 0) return <p class="quiet">No body.</p>;
  const text = 'text' in body ? indented(body.text) : body.base64;
  return (
    <>
      <p class="quiet">
        {body.bytes.toLocaleString('en')} bytes{'text' in body ? '' : ', in base64'}
      </p>
      <pre>{text}</pre>
    </>
  );
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
