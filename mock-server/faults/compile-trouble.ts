import { type IntegerParameter, DELIVERY_FAULTS, LOSSES, type FaultName } from './fault-catalogue.ts';
import { type Phase, UNCERTAIN_PHASES } from './phases.ts';
import { FaultPlanError } from './fault-plan-error.ts';
import { type Fields, readChoice, readInteger } from './plan-fields.ts';
import type { Outcome, Refusal, Fault } from './fault.ts';

const { gateway_failure: gateway, timeout } = LOSSES;
const { body_cut: cut, stream_cut: streamCut, stall, pieces, wrong_content_length: wrong } = DELIVERY_FAULTS;

type Compiler = (rule: Fields, phase: Phase) => Fault;

const COMPILERS: Readonly<Record<Exclude<FaultName, Refusal>, Compiler>> = {
  gateway_failure: (rule, phase) => {
    const { status, body } = gateway.parameters;
    return {
      fault: 'gateway_failure',
      status: readChoice(rule, 'status', status.choices) ?? status.default,
      body: readChoice(rule, 'body', body.choices) ?? body.default,
      outcome: readOutcome(rule, phase),
    };
  },
  timeout: compileTimeout,
  connection_closed: (rule, phase) => ({ fault: 'connection_closed', outcome: readOutcome(rule, phase) }),
  connection_reset: (rule, phase) => ({ fault: 'connection_reset', outcome: readOutcome(rule, phase) }),
  body_cut: (rule) => ({ fault: 'body_cut', bytes: read(rule, 'bytes', cut.parameters.bytes) }),
  stream_cut: (rule) => ({ fault: 'stream_cut', events: read(rule, 'events', streamCut.parameters.events) }),
  stall: (rule) => ({
    fault: 'stall',
    bytes: read(rule, 'bytes', stall.parameters.bytes),
    ms: readInteger(rule, 'ms', stall.parameters.ms) ?? null,
  }),
  pieces: (rule) => ({
    fault: 'pieces',
    bytes: read(rule, 'bytes', pieces.parameters.bytes),
    ms: read(rule, 'ms', pieces.parameters.ms),
  }),
  wrong_content_length: (rule) => ({
    fault: 'wrong_content_length',
    difference: readDifference(rule),
  }),
};

/** The fault of a rule with its parameters. Throws a FaultPlanError. */
export function compileFault(rule: Fields, fault: FaultName, phase: Phase): Fault {
  return isLossOrDelivery(fault) ? COMPILERS[fault](rule, phase) : { fault };
}

function isLossOrDelivery(fault: FaultName): fault is Exclude<FaultName, Refusal> {
  return Object.hasOwn(COMPILERS, fault);
}

function read(
  rule: Fields,
  name: string,
  parameter: IntegerParameter & { readonly default: number },
): number {
  return readInteger(rule, name, parameter) ?? parameter.default;
}

/** Late is not lost: a request that is answered after all goes on as any other. */
function compileTimeout(rule: Fields, phase: Phase): Fault {
  const ms = readInteger(rule, 'ms', timeout.parameters.ms);
  if (ms === undefined) return { fault: 'timeout', ms: null, outcome: readOutcome(rule, phase) };
  if (rule.values['then'] === undefined) return { fault: 'timeout', ms };
  throw new FaultPlanError(
    [...rule.path, 'then'],
    'not beside ms: a request that is answered late completes',
  );
}

function readOutcome(rule: Fields, phase: Phase): Outcome {
  const { choices, default: byDefault } = timeout.parameters.then;
  const outcome = readChoice(rule, 'then', choices);
  if (outcome === undefined || UNCERTAIN_PHASES.includes(phase)) return outcome ?? byDefault;
  throw new FaultPlanError(
    [...rule.path, 'then'],
    `nothing is uncertain at ${phase}; possible at ${UNCERTAIN_PHASES.join(', ')}`,
  );
}

function readDifference(rule: Fields): number {
  const difference = read(rule, 'difference', wrong.parameters.difference);
  if (difference !== 0) return difference;
  throw new FaultPlanError([...rule.path, 'difference'], 'a difference of 0 is none');
}
