import type { Call } from './call.ts';
import type { Choices, Made, Page, Said, Told } from './choices.ts';
import type { Json } from './json.ts';
import type { Refusal } from './refusal.ts';

/** What goes back to the caller. */
export interface Reply extends Page {
  /** A stream may be begun before its model has ended, with comments. */
  readonly isStream?: boolean;
}

export function jsonReply(value: Json, { stringify, jsonType }: Choices): Reply {
  return { status: 200, type: jsonType, body: typeof value === 'string' ? value : stringify(value) };
}

function errorReply(told: Told, { errorBody, errorType, stringify }: Choices): Reply {
  return { status: told.status, type: errorType, body: stringify(errorBody(told)) };
}

/** A completion, whole or as the events of a stream. */
export function completionReply(made: Made, stream: boolean, choices: Choices): Reply {
  const said = saidOf(made, choices);
  return stream ? streamReply(made, said, choices) : jsonReply(choices.completion(made, said), choices);
}

/** Why it finished and what it used, wherever each stands. */
function saidOf(made: Made, { finish, usage }: Choices): Required<Said> {
  const [one, other] = [finish(made.finish), usage(made)];
  return {
    root: { ...one.root, ...other.root },
    choice: { ...one.choice, ...other.choice },
    message: { ...one.message, ...other.message },
  };
}

function streamReply(made: Made, said: Required<Said>, choices: Choices): Reply {
  const { events, lastEvent, frame, around, heartbeat, stringify, streamType } = choices;
  const all = [...events(made, said), ...(lastEvent === undefined ? [] : [lastEvent])];
  const framed = all.map(({ name, data }, index) => {
    const text = typeof data === 'string' ? data : stringify(data);
    return frame({ ...(name !== undefined && { name }), data: text }, index);
  });
  const [before, after] = around;
  // With comments before it, a stream has begun already.
  const body = (heartbeat > 0 ? '' : before) + framed.join('') + after;
  return { status: 200, type: streamType, body, isStream: true };
}

/** What a refusal says, and when to come again after a rate limit error. */
export function refusalReply({ kind, message }: Refusal, { requestId, path }: Call, choices: Choices): Reply {
  const { code, status, retryAfter } = choices;
  const reply = errorReply(
    { kind, message, code: code(kind), requestId, status: status(kind), path },
    choices,
  );
  const after = kind === 'rate_limit' ? retryAfter() : undefined;
  return after === undefined ? reply : { ...reply, headers: { 'retry-after': after } };
}
