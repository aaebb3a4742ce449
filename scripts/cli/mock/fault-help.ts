import { FAULTS } from '../../../mock-server/faults/catalogue/fault-catalogue.ts';
import type {
  FaultDescription,
  FaultParameter,
} from '../../../mock-server/faults/catalogue/fault-parameter.ts';

const RULES = `Faults of the mock, for --fault, a scenario file, POST /control/faults and the header x-mock-fault:
NAME, then FIELD=VALUE in any order; a value with spaces stands in double quotes, as in JSON.

Every fault, beside its own fields:
  phase          where in the request it triggers; the default stands first. handshake: before it, with --tls
  times          how often; absent: always
  after          matching requests that pass first
  ttl            milliseconds of the world's clock until the rule is over
  probability    from 0 to 1, drawn from the seed
  endpoint, model, stream, key    only for such requests; key: the name of a key
  nth, every     only this one of the matching requests, or every so many-th
  per            key or connection: nth, every and after count for each of them
Milliseconds of latency, slow_accept and timeout are a number, or drawn from the seed:
  100..500, normal:MEAN,DEVIATION or lognormal:P50,P99

`;

/** Every fault with its fields and phases: `mock --help faults`. */
export function faultHelp(): string {
  const faults = Object.entries<FaultDescription>(FAULTS).map(describe);
  return `${RULES}${faults.join('\n')}\nEach has a recipe: docs/cookbook.md, by symptom.\n`;
}

function describe([name, { meaning, phases, defaultPhase, parameters }]: [string, FaultDescription]): string {
  const others = phases.filter((phase) => phase !== defaultPhase);
  const lines = Object.entries(parameters).map(([field, parameter]) => `  ${field}: ${about(parameter)}\n`);
  return `${name}\n  ${meaning}\n${lines.join('')}  phase: ${[defaultPhase, ...others].join(', ')}\n`;
}

function about(parameter: FaultParameter): string {
  const { meaning, default: byDefault } = parameter;
  const values = [
    ...(parameter.kind === 'choice' ? [parameter.choices.join(', ')] : []),
    ...(byDefault === undefined || byDefault === '' ? [] : [`default ${byDefault}`]),
  ];
  return values.length === 0 ? meaning : `${meaning} (${values.join('; ')})`;
}
