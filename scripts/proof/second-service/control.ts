import { type Json, isJsonObject } from './choices.ts';
import type { Reply } from './reply.ts';
import type { Workspace } from './workspace.ts';

type Operation = (url: URL, body: Buffer) => Json | undefined;

/** Handles the six requests of the control protocol. */
export function controlHandler(
  faults: Faults,
  workspace: Workspace,
): (method: string, url: URL, body: Buffer) => Reply {
  const operations: Readonly<Record<string, Operation>> = {
    'PUT /faults': (_, body) => (faults.arm(JSON.parse(body.toString())) ? {} : undefined),
    'GET /faults': () => faults.status(),
    'DELETE /faults': () => (faults.arm([]) ? {} : undefined),
    'GET /requests': ({ searchParams }) => ({
      requests: workspace.requestsOf(searchParams.get('idempotencyKey')),
    }),
    'GET /workspace': () => ({ keys: { primary: workspace.balance() } }),
  };
  return (method, url, body) => {
    const [, requestId] = /^\/requests\/([^/]+)\/resolution$/.exec(url.pathname) ?? [];
    if (requestId !== undefined)
      return replyOf(workspace.fail(decodeURIComponent(requestId)) ? {} : undefined, 409);
    const operation = operations[`${method} ${url.pathname}`];
    return operation === undefined ? replyOf(undefined, 404) : replyOf(operation(url, body), 400);
  };
}

function replyOf(value: Json | undefined, status: number): Reply {
  const type = 'application/json';
  if (value !== undefined) return { status: 200, type, body: JSON.stringify(value) };
  return { status, type, body: JSON.stringify({ error: { message: 'that cannot be done' } }) };
}

const FAULTS = [
  'rate_limit',
  'model_unavailable',
  'service_unavailable',
  'gateway_failure',
  'timeout',
] as const;

export type Fault = (typeof FAULTS)[number];

interface Rule {
  readonly fault: Fault;
  readonly times: number;
  /** When it expires, in milliseconds since the epoch. */
  readonly until: number;
  fired: number;
}

/** Faults armed for the next chats. */
export class Faults {
  #rules: readonly Rule[] = [];

  /** Replaces all rules; returns false, and changes nothing, if one of them is invalid. */
  arm(given: Json): boolean {
    const rules = Array.isArray(given) ? given.map(ruleOf) : [undefined];
    const known = rules.filter((rule) => rule !== undefined);
    if (known.length < rules.length) return false;
    this.#rules = known;
    return true;
  }

  /** Triggers an armed fault among these, if there is one, and returns it. */
  trigger(...among: readonly Fault[]): Fault | undefined {
    const rule = this.#rules.find(
      ({ fault, fired, times, until }) => among.includes(fault) && fired < times && Date.now() < until,
    );
    if (rule !== undefined) rule.fired += 1;
    return rule?.fault;
  }

  status(): Json {
    return { rules: this.#rules.map(({ fault, fired }) => ({ fault, fired })) };
  }
}

function ruleOf(given: Json): Rule | undefined {
  if (!isJsonObject(given)) return undefined;
  const fault = FAULTS.find((known) => known === given['fault']);
  if (fault === undefined) return undefined;
  const { times, ttl } = given;
  const until = typeof ttl === 'number' ? Date.now() + ttl : Infinity;
  return { fault, times: typeof times === 'number' ? times : Infinity, until, fired: 0 };
}
