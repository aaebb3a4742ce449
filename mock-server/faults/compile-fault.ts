import type { Step } from '../protocol/service-error.ts';
import { DELIVERY_FAULTS } from './catalogue/delivery-catalogue.ts';
import { type Phase, UNCERTAIN_PHASES } from './catalogue/phases.ts';
import type { Fault, LostRequestOutcome } from './fault.ts';
import type { ParsedRule } from './rule-schema.ts';
import { FaultPlanError } from './rule.ts';

/** The fault of a rule. Throws a FaultPlanError for parameters that do not go together. */
export function compileFault(rule: ParsedRule, phase: Phase, path: readonly Step[]): Fault {
  if (isDeliveryRule(rule)) return compileDelivery(rule);
  const { fault } = rule;
  switch (fault) {
    case 'wrong_certificate':
      return { fault, how: rule.how };
    case 'timeout':
      return compileTimeout(rule, phase, path);
    case 'gateway_failure':
    case 'own_answer':
    case 'half_open':
    case 'connection_closed':
    case 'connection_reset':
      return compileLoss(rule, outcomeOf(rule, phase, path));
    case 'unknown_model':
    case 'token_limit':
    case 'insufficient_credits':
      return { fault, retry_after: null };
    case 'rate_limit':
    case 'model_unavailable':
    case 'service_unavailable':
      return { fault, retry_after: rule.retry_after ?? null };
    case 'latency':
    case 'slow_accept':
      return { fault, ms: rule.ms };
  }
}

type LossRule = Extract<
  ParsedRule,
  { fault: 'gateway_failure' | 'own_answer' | 'half_open' | 'connection_closed' | 'connection_reset' }
>;

function compileLoss(rule: LossRule, outcome: LostRequestOutcome): Fault {
  const { fault } = rule;
  if (fault === 'gateway_failure') {
    const { status, body, retry_after = null } = rule;
    return { fault, status, body, retry_after, outcome };
  }
  if (fault !== 'own_answer') return { fault, outcome };
  const { status, content_type, body, retry_after = null } = rule;
  return { fault, status, content_type, body, retry_after, outcome };
}

type DeliveryRule = Extract<ParsedRule, { fault: keyof typeof DELIVERY_FAULTS }>;

function isDeliveryRule(rule: ParsedRule): rule is DeliveryRule {
  return Object.hasOwn(DELIVERY_FAULTS, rule.fault);
}

function compileDelivery(rule: DeliveryRule): Fault {
  const { fault } = rule;
  switch (fault) {
    case 'body_cut':
      return { fault, bytes: rule.bytes };
    case 'stream_cut':
      return { fault, events: rule.events };
    case 'stall':
      return { fault, bytes: rule.bytes, ms: rule.ms ?? null };
    case 'pieces':
      return { fault, bytes: rule.bytes, ms: rule.ms };
    case 'wrong_content_length':
      return { fault, difference: rule.difference };
    case 'split_characters':
      return { fault, ms: rule.ms };
    case 'bandwidth':
      return { fault, bytes_per_second: rule.bytes_per_second };
    case 'duplicate_event':
    case 'malformed_event':
      return { fault, event: rule.event };
    case 'error_event':
      return { fault, events: rule.events };
    case 'wrong_header':
      return { fault, header: rule.header, how: rule.how, value: rule.value ?? null };
    case 'idle_closed':
      return { fault, ms: rule.ms, how: rule.how };
  }
}

type TimeoutRule = Extract<ParsedRule, { fault: 'timeout' }>;

/** A request that is answered late is not lost. */
function compileTimeout(rule: TimeoutRule, phase: Phase, path: readonly Step[]): Fault {
  const { fault, ms } = rule;
  if (ms === undefined) return { fault, ms: null, outcome: outcomeOf(rule, phase, path) };
  if (rule.then === undefined) return { fault, ms };
  throw new FaultPlanError([...path, 'then'], 'not beside ms: a request that is answered late completes');
}

function outcomeOf(rule: Pick<TimeoutRule, 'then'>, phase: Phase, path: readonly Step[]): LostRequestOutcome {
  if (rule.then === undefined || UNCERTAIN_PHASES.includes(phase)) return rule.then ?? 'review';
  throw new FaultPlanError(
    [...path, 'then'],
    `nothing is uncertain at ${phase}; possible at ${UNCERTAIN_PHASES.join(', ')}`,
  );
}
