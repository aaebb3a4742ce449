import type { Credential, Exchange } from '../model/exchange.ts';
import { cutText } from './cut-text.ts';
import type { ShownExchange } from '../model/summary.ts';

const LONGEST_BODY = 4000;

/** An exchange as reports show it. Keys are not in it: the wire took them out before it was recorded. */
export function showExchange({ id, request, outcome }: Exchange): ShownExchange {
  const answer = outcome.kind === 'not-sent' ? undefined : outcome.answer;
  return {
    id,
    request: {
      method: request.method,
      path: request.path,
      credential: credentialName(request.credential),
      headers: request.headers,
      ...(request.body !== undefined && { body: shownBody(request.body) }),
    },
    outcome: outcome.kind === 'answered' ? 'answered' : `${outcome.kind}: ${outcome.reason}`,
    ...(answer !== undefined && {
      answer: { status: answer.status, headers: answer.headers, body: shownBody(answer.body) },
    }),
  };
}

export function credentialName(credential: Credential): string {
  switch (credential.kind) {
    case 'none':
      return 'no Authorization header';
    case 'forged':
      return credential.label;
    case 'key':
      return `the ${credential.name} key`;
  }
}

function shownBody(body: Uint8Array): string {
  const text = Buffer.from(body).toString('utf8');
  return text.length <= LONGEST_BODY ? text : `${cutText(text, LONGEST_BODY)}… (${body.length} bytes in all)`;
}
