import { answerRequest } from '../../../mock-server/endpoints/answer-request.ts';
import type { Exchange } from '../../../mock-server/exchange/exchange.ts';
import { identify } from '../../../mock-server/exchange/identity.ts';
import { RequestFaults } from '../../../mock-server/exchange/request-faults.ts';
import { runPhase } from '../../../mock-server/exchange/run-phase.ts';
import * as requestedFault from '../../../mock-server/faults/requested-fault.ts';
import type { Answer } from '../../../mock-server/protocol/answer.ts';
import { ServiceError } from '../../../mock-server/protocol/service-error.ts';
import { createService, type Service } from '../../../mock-server/sandboxes/service.ts';
import { Delays } from '../../../mock-server/time/delays.ts';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import type { World } from '../../../mock-server/world/world.ts';
import type { LossCase } from './money-commands.ts';

/** Callers with keys of their own: the first and the third share a workspace, and its Idempotency-Keys. */
export const CLIENTS = ['primary', 'second', 'third'] as const;
export type Client = (typeof CLIENTS)[number];

/** Requests of one key that may run at a time. */
export const SLOTS = 4;

const [first] = builtInWorld.keys;
if (first === undefined) throw new Error('the built-in world has no key');
const KEYS = [...builtInWorld.keys, { ...first, name: 'third', key: 'mock-third-key-of-the-money-test' }];

/** The workspace of a client. */
export function workspaceOf(client: Client): string {
  return KEYS.find(({ name }) => name === client)?.workspace ?? '';
}

function bearerOf(client: Client): string {
  return KEYS.find(({ name }) => name === client)?.key ?? '';
}

function worldWith(credits: number): World {
  return {
    ...builtInWorld,
    workspaces: builtInWorld.workspaces.map((workspace) => ({ ...workspace, credits })),
    keys: KEYS.map((key) => ({ ...key, concurrency: SLOTS })),
  };
}

/** Waits that end when the test ends them. */
class HeldDelays extends Delays {
  readonly #begun: (run: () => void) => void;
  constructor(begun: (run: () => void) => void) {
    super(() => {});
    this.#begun = begun;
  }
  override after(_ms: number, run: () => void): void {
    this.#begun(run);
  }
  override afterArrivals(_ms: number, run: () => void): void {
    this.#begun(run);
  }
}

/** A request, and what its caller hears of its end. */
export class HeldCall {
  readonly requestId: string;
  /** An error code, `served`, `again`, `lost` or `gone`; undefined: it has not ended. */
  outcome: string | undefined;
  #isLost = false;
  #hasEnded = false;
  readonly #releases: (() => void)[] = [];

  constructor(requestId: string) {
    this.requestId = requestId;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** As on a connection: nothing is held for a caller that has gone. */
  hold(release: () => void): void {
    if (this.outcome === undefined) this.#releases.push(release);
    else release();
  }

  /** The caller disconnects. */
  abort(): void {
    this.#hear('gone');
  }

  lose(): void {
    this.end('lost');
    this.#isLost = true;
  }

  /** The service ends the request. Throws if it has ended it before. */
  end(outcome: string): void {
    if (this.#hasEnded) throw new Error(`${this.requestId} ended as ${this.outcome}, then as ${outcome}`);
    this.#hasEnded = true;
    this.#hear(outcome);
  }

  #hear(outcome: string): void {
    this.outcome ??= outcome;
    for (const release of this.#releases.splice(0)) release();
  }
}

export interface Sent {
  readonly client: Client;
  readonly key: string | null;
  readonly outputTokens: number;
  readonly lossCase: LossCase;
}

/** A service whose waits end when the test says so. */
export function openService(credits: number, begun: (run: () => void) => void): Service {
  const latency = { perCompletion: 1, perToken: 0 };
  const service = createService({
    world: worldWith(credits),
    seed: 1,
    latency,
    log: () => {},
    logAnswers: false,
  });
  return { ...service, delays: new HeldDelays(begun) };
}

/** Sends a request to the service as its connection would. */
export function sendTo(service: Service, sent: Sent): HeldCall {
  const request = requestOf(sent);
  const identity = identify(service.seed, service.occurrences, request);
  const call = new HeldCall(identity.requestId);
  const exchange = exchangeOf(service, call, { request, identity });
  try {
    answerRequest(service, exchange);
  } catch (error) {
    exchange.refuse(error);
  }
  return call;
}

function requestOf({ client, key, outputTokens, lossCase: { fault } }: Sent): Exchange['request'] {
  const messages = [{ role: 'user', content: 'Hello' }];
  return {
    method: 'POST',
    url: '/v1/chat/completions',
    authorization: `Bearer ${bearerOf(client)}`,
    idempotencyKey: key ?? undefined,
    contentType: undefined,
    contentEncoding: undefined,
    fault: fault ?? undefined,
    body: Buffer.from(JSON.stringify({ model: 'compact-1', messages, max_tokens: outputTokens })),
  };
}

function exchangeOf(
  service: Service,
  call: HeldCall,
  received: Pick<Exchange, 'request' | 'identity'>,
): Exchange {
  const faults = new RequestFaults(service.faults, undefined, call.requestId);
  faults.compileWith(requestedFault);
  const answered = ({ headers }: Answer): void =>
    call.end(headers.includes('idempotency-replayed') ? 'again' : 'served');
  const exchange: Exchange = {
    ...received,
    faults,
    hold: (release) => call.hold(release),
    reply: (answer) => {
      if (!call.isLost) runPhase(service, 'before-headers', { exchange }, () => answered(answer));
    },
    refuse: (error) => {
      if (!(error instanceof ServiceError)) throw error;
      if (!call.isLost) call.end(error.kind);
    },
    lose: () => call.lose(),
  };
  return exchange;
}
