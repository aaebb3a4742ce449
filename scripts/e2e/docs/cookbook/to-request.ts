/** What a `send` line says. */
export interface Sending {
  readonly count: number;
  readonly what: string;
  readonly model: string | undefined;
  /** The name of the key. */
  readonly key: string;
  readonly idempotencyKey: string | undefined;
  readonly headers: readonly string[];
}

const OPTION = / (?<name>[\w-]+)=(?:"(?<quoted>[^"]*)"|(?<word>[^\s"]+))/g;

/** `3 × stream key=second Idempotency-Key=order-1 x-mock-fault="…"`. Throws for what is no such line. */
export function readSending(line: string): Sending {
  const [, count = '1', what = '', rest = ''] = /^(?:(\d+) × )?(chat|stream|models)(.*)$/.exec(line) ?? [];
  if (what === '' || rest.replaceAll(OPTION, '') !== '') throw new Error(`nothing to send: ${line}`);
  const options = new Map(
    [...rest.matchAll(OPTION)].map(({ groups = {} }) => [groups['name'], groups['quoted'] ?? groups['word']]),
  );
  const taken = (name: string): string | undefined => {
    const value = options.get(name);
    options.delete(name);
    return value;
  };
  return {
    count: Number(count),
    what,
    model: taken('model'),
    key: taken('key') ?? 'primary',
    idempotencyKey: taken('Idempotency-Key'),
    headers: [...options].map(([name, value]) => `${name}: ${value}`),
  };
}

/** The bytes of a request; `chat` is the JSON of the completion that the cookbook asks for. */
export function toRequest(sending: Sending, chat: string, bearer: string, idempotencyKey: string): string {
  const isRead = sending.what === 'models';
  const body = isRead ? '' : bodyOf(sending, chat);
  const head = [
    isRead ? 'GET /v1/models HTTP/1.1' : 'POST /v1/chat/completions HTTP/1.1',
    'Host: mock',
    `Authorization: Bearer ${bearer}`,
    `Idempotency-Key: ${idempotencyKey}`,
    ...sending.headers,
    ...(isRead ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

function bodyOf({ what, model }: Sending, chat: string): string {
  const named =
    model === undefined ? chat : chat.replace(/"model":"[^"]*"/, `"model":${JSON.stringify(model)}`);
  return what === 'stream' ? named.replace(/\}$/, ',"stream":true}') : named;
}
