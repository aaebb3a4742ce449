import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import type { Exchange, Piece } from '../../kit/model/exchange.ts';
import { answered, answeredGet } from '../../kit/test-support/exchange.ts';
import { arrivalsOf, type Network, type Write } from '../../kit/test-support/simulated-link.ts';

/** How a service writes a stream: all of it when the model has completed, or each event as the model writes it. */
export type Writing = 'at-once' | 'event-by-event' | 'trickling' | 'first-half-early';

export interface SimulatedService {
  readonly network: Network;
  readonly writing: Writing;
  /** How long its model takes for a long text. */
  readonly modelMs: number;
  readonly events: number;
  /** Whether what is written at once can be read only as a whole, as over TLS. */
  readonly inRecords: boolean;
  readonly seed: number;
}

const HEAD_BYTES = 190;
/** The answers to the requests that are compared, with their heads. */
const LIST = JSON.stringify({ object: 'list', data: [{ id: 'small', object: 'model', owned_by: 'us' }] });
/** How much of the time of the model is over when it writes its first token. */
const PREFILL = 0.05;
/** One run of a model takes this much longer than another, at most. */
const VARIATION = 0.2;

function eventText(i: number, all: number): string {
  const delta = { content: ` number-${i}` };
  const chunk = {
    id: 'c-1234567890',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'small',
  };
  const text = JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] });
  return `data: ${text}\n\n${i === all - 1 ? 'data: [DONE]\n\n' : ''}`;
}

/** What a run sees of the service: two quick reads, three streams and two whole answers. */
export function exchangesWith(service: SimulatedService): readonly Exchange[] {
  const { seed } = service;
  return [
    ...[1, 2].map((i) => quickRead({ ...service, seed: seed * 10 + i })),
    ...[3, 4, 5].map((i) => stream({ ...service, seed: seed * 10 + i })),
    ...[6, 7].map((i) => wholeAnswer({ ...service, seed: seed * 10 + i })),
  ];
}

/** When a request has reached the service and its model is done. */
function doneAt({ network, modelMs, seed }: SimulatedService): number {
  return network.roundTripMs / 2 + modelMs * (1 + (VARIATION * ((seed * 7919) % 97)) / 97);
}

function quickRead({ network, seed }: SimulatedService): Exchange {
  const arrivals = arrive([{ at: network.roundTripMs / 2 + 1, bytes: LIST.length }], network, seed);
  return answeredGet(ENDPOINTS.models, { body: LIST, pieces: arrivals });
}

function wholeAnswer(service: SimulatedService): Exchange {
  const content = Array.from({ length: service.events }, (_, i) => ` number-${i}`).join('');
  const body = JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] });
  const pieces = arrive([{ at: doneAt(service), bytes: body.length }], service.network, service.seed);
  return answered({ body, pieces }, { model: 'small', messages: [] });
}

function stream(service: SimulatedService): Exchange {
  const { events: count, network, seed, inRecords } = service;
  const events = Array.from({ length: count }, (_, i) => eventText(i, count));
  const writes = writesOf(service, events);
  const arrivals = arrive(writes, network, seed);
  const pieces = inRecords ? wholeRecords(writes, arrivals) : arrivals;
  const headers = { 'content-type': 'text/event-stream' };
  return answered({ body: events.join(''), headers, pieces }, { model: 'small', messages: [], stream: true });
}

function writesOf(service: SimulatedService, events: readonly string[]): readonly Write[] {
  const { writing, network } = service;
  const end = doneAt(service);
  const begin = network.roundTripMs / 2;
  const took = end - begin;
  const lengths = events.map((event) => event.length);
  if (writing === 'at-once') return [{ at: end, bytes: sum(lengths) }];
  if (writing === 'event-by-event') return lengths.map((bytes) => ({ at: end, bytes }));
  if (writing === 'first-half-early') {
    const half = lengths.length >> 1;
    return [
      { at: begin + took / 4, bytes: sum(lengths.slice(0, half)) },
      { at: end, bytes: sum(lengths.slice(half)) },
    ];
  }
  const share = (i: number): number => PREFILL + ((1 - PREFILL) * i) / (lengths.length - 1);
  return lengths.map((bytes, i) => ({ at: begin + took * share(i), bytes }));
}

/** The arrivals of a body, whose head is sent with its first byte. */
function arrive(writes: readonly Write[], network: Network, seed: number): readonly Piece[] {
  const [first, ...rest] = writes;
  if (first === undefined) return [];
  const all = arrivalsOf([{ ...first, bytes: first.bytes + HEAD_BYTES }, ...rest], network, seed);
  return all.flatMap(({ at, upTo }) => (upTo > HEAD_BYTES ? [{ at, upTo: upTo - HEAD_BYTES }] : []));
}

const RECORD_BYTES = 16 * 1024;

/** A record can be read once its last byte is there. */
function wholeRecords(writes: readonly Write[], arrivals: readonly Piece[]): readonly Piece[] {
  const ends: number[] = [];
  let written = 0;
  for (const { bytes } of writes) {
    for (let at = RECORD_BYTES; at < bytes; at += RECORD_BYTES) ends.push(written + at);
    ends.push((written += bytes));
  }
  return arrivals.flatMap(({ at, upTo }, i) => {
    const before = arrivals[i - 1]?.upTo ?? 0;
    const end = ends.findLast((each) => each <= upTo && each > before);
    return end === undefined ? [] : [{ at, upTo: end }];
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
