import type { Finding } from '../kit/model/ruling.ts';
import type { Evidence, ShownExchange } from '../kit/model/summary.ts';
import { showTimeline, shownHeaders } from './show-timeline.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

const LONGEST_BODY = 4000;

const CREDENTIALS: Readonly<Record<TimelineRequest['credential'], string>> = {
  own: 'its own key',
  foreign: "the service's key, elsewhere",
  unknown: 'an unknown key',
  none: 'no Authorization header',
};

function cut(text: string): string {
  return text.length <= LONGEST_BODY ? text : `${text.slice(0, LONGEST_BODY)}…`;
}

function outcomeText({ outcome: met }: TimelineRequest): string {
  if (met.kind === 'served' || met.kind === 'refused') return 'answered';
  return met.kind === 'running' ? 'uncertain: still under way' : `uncertain: ${met.why}`;
}

function shownExchange(scenario: string, request: TimelineRequest): ShownExchange {
  const { n, method, path, status, body, answer, credential } = request;
  return {
    id: `${scenario}#${n}`,
    request: {
      method,
      path,
      credential: CREDENTIALS[credential],
      headers: shownHeaders(request),
      ...(body !== '' && { body: cut(body) }),
    },
    outcome: outcomeText(request),
    ...(status !== undefined && { answer: { status, headers: {}, body: cut(answer) } }),
  };
}

/** What stands behind a violation: the request that shows it, and everything around it. */
export function callerEvidence(timeline: Timeline, finding: Finding): Evidence {
  const request = timeline.requests[finding.exchange ?? 0];
  if (request === undefined) throw new TypeError('a judgement found fault with a caller that sent nothing');
  return {
    finding,
    exchange: shownExchange(timeline.scenario, request),
    timeline: showTimeline(timeline, request),
    // It went to a mock that is gone.
    curl: '',
  };
}
