import { HEADERS } from '../../../fixtures/chats/chat.ts';
import type { Recording } from '../journal/recording.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Trial } from '../model/stimulus.ts';
import type { Evidence } from '../model/summary.ts';
import { hasSucceeded } from '../reading/answers.ts';
import { jsonIn, jsonText, valueAt } from '../reading/json.ts';
import { curlLine, unmadeKey } from '../text/curl-line.ts';
import { difference, differingPlaces, showExchange } from '../text/show-exchange.ts';
import { inputBehind } from './fates.ts';
import type { Failure, Findings, JudgedCriterion } from './findings.ts';

/** What a report shows of a failure; none where nothing was sent. */
export function evidenceOf(
  { finding, trial }: Failure,
  { recording }: Findings,
  { ofWholeRun }: JudgedCriterion['of'],
): readonly Evidence[] {
  const exchange = trial.exchanges[finding.exchange ?? 0] ?? trial.exchanges[0];
  if (exchange === undefined) return [];
  // It belongs to the first exchange.
  const own = exchange === trial.exchanges[0] ? trial.counterpart : undefined;
  const likest = finding.code === 'failed' ? likestServed(exchange, recording) : undefined;
  const counterpart = likest ?? own;
  const input = trial.input ?? inputBehind(exchange, recording);
  const curls = [...usesBefore(exchange, trial), exchange].map((each) =>
    curlLine(recording.run.target, each),
  );
  const isOfSeveral = ofWholeRun === true && finding.code !== 'failed';
  const ofRun =
    finding.code === 'died'
      ? 'the line alone may not show this: what was sent before it, or beside it, may have led to it'
      : 'several answers show this: compare them';
  const note = isOfSeveral ? ofRun : curlNote(exchange, trial);
  const evidence = {
    finding,
    ...(input !== undefined && { input }),
    exchange: showExchange(exchange),
    ...(counterpart !== undefined && {
      control: {
        exchange: showExchange(counterpart),
        difference: difference(exchange, counterpart, likest ? MOST_PLACES : 1),
      },
    }),
    curl: curls.join('; echo; '),
    ...(note !== undefined && { curlNote: note }),
  };
  return [evidence];
}

const MOST_PLACES = 3;

/** The served request that differs least from one at which the service failed; undefined where all differ in most. */
function likestServed(failed: Exchange, { record }: Recording): Exchange | undefined {
  const body = jsonIn(failed.request.body) ?? null;
  const near = record.flatMap((served) => {
    const places = hasSucceeded(served) ? differingPlaces(failed, served, MOST_PLACES) : '';
    // A place without a name is the whole body.
    if (typeof places === 'string' || places.includes('')) return [];
    const values = places.map((place) => valueAt(body, place) ?? '');
    return { served, size: jsonText(values).length };
  });
  return near.toSorted((one, other) => one.size - other.size)[0]?.served;
}

/** The requests of a trial before this one that had its Idempotency-Key, or one that differs only in case. */
function usesBefore(exchange: Exchange, trial: Trial): readonly Exchange[] {
  const key = keyOf(exchange);
  const before = trial.exchanges.slice(0, trial.exchanges.indexOf(exchange));
  return key === undefined ? [] : before.filter((each) => keyOf(each) === key);
}

function keyOf({ request }: Exchange): string | undefined {
  return request.headers[HEADERS.idempotencyKey]?.toLowerCase();
}

/** Why the curl line of a failure cannot show it, or not as it stands; undefined where it can. */
function curlNote({ armed, outcome, request }: Exchange, trial: Trial): string | undefined {
  if (armed !== undefined) return 'the run had armed a fault for this request, which the line does not meet';
  if ('atOnce' in trial || 'overlapped' in trial) return 'only requests at the same time show this';
  if (outcome.kind === 'uncertain')
    return 'curl opens a new connection: the run may have used an open one, which broke';
  return unmadeKey(request.credential);
}
