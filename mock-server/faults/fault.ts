import type { DELIVERY_FAULTS } from './catalogue/delivery-catalogue.ts';
import { FAULTS, type FaultName, type LOSSES, REFUSALS } from './catalogue/fault-catalogue.ts';
import type { Phase } from './catalogue/phases.ts';
import type { Milliseconds } from './spread.ts';

type ValueOf<Parameter> = Parameter extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Parameter extends { readonly kind: infer Kind extends keyof Values }
    ? Values[Kind]
    : never;

interface Values {
  readonly integer: number;
  readonly duration: Milliseconds;
  readonly text: string;
  readonly header: string | number;
}

type ParametersOf<Name extends FaultName> = (typeof FAULTS)[Name]['parameters'];

/** A parameter that is absent is null; how a lost request ends, `then` in a rule, is its outcome. */
type Compiled<Name extends FaultName> = { readonly fault: Name } & {
  readonly [Field in keyof ParametersOf<Name> as Field extends 'then' ? 'outcome' : Field]:
    | ValueOf<ParametersOf<Name>[Field]>
    | (ParametersOf<Name>[Field] extends { readonly default: unknown } ? never : null);
};

/** A fault with its parameters. A timeout after which the request goes on loses nothing. */
export type Fault =
  | { [Name in FaultName]: Compiled<Name> }[Exclude<FaultName, 'timeout'>]
  | (Compiled<'timeout'> & { readonly ms: null })
  | { readonly fault: 'timeout'; readonly ms: Milliseconds };

type Named<Name extends FaultName> = Extract<Fault, { readonly fault: Name }>;

/** Faults that take the place of the answer. */
export type Loss = Extract<Fault, { readonly outcome: unknown }>;

/** How a request ends that loses its answer between its reservation and its debit. */
export type LostRequestOutcome = Loss['outcome'];

/** An application error, and its Retry-After. */
export type Refusal = Named<keyof typeof REFUSALS>;

/** Faults of an answer whose headers have left. Bytes are those of the body. */
export type DeliveryFault = Named<keyof typeof DELIVERY_FAULTS | 'connection_closed' | 'connection_reset'>;

/** Faults of a request before its answer leaves. Milliseconds are of real time. */
export type ProcessingFault = Named<keyof typeof REFUSALS | keyof typeof LOSSES | 'latency' | 'slow_accept'>;

/** Faults of a connection before its first request. */
export type HandshakeFault = Named<
  'wrong_certificate' | 'connection_closed' | 'connection_reset' | 'timeout' | 'latency'
>;

/** What is wrong with a certificate. */
export type CertificateFlaw = Named<'wrong_certificate'>['how'];

function canTriggerAt({ fault }: Fault, ...phases: readonly Phase[]): boolean {
  const possible: readonly Phase[] = FAULTS[fault].phases;
  return phases.some((phase) => possible.includes(phase));
}

export function isHandshakeFault(fault: Fault): fault is HandshakeFault {
  return canTriggerAt(fault, 'handshake');
}

export function isProcessingFault(fault: Fault): fault is ProcessingFault {
  return canTriggerAt(fault, 'before-authentication', 'after-validation');
}

export function isDeliveryFault(fault: Fault): fault is DeliveryFault {
  return canTriggerAt(fault, 'inside-body');
}

export function isLoss(fault: Fault): fault is Loss {
  return 'outcome' in fault;
}

export function isRefusal(fault: Fault): fault is Refusal {
  return Object.hasOwn(REFUSALS, fault.fault);
}
