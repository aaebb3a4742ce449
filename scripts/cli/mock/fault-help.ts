import { ANSWER } from '../../../mock-server/answers/compile-answers.ts';
import { FAULTS } from '../../../mock-server/faults/fault-catalogue.ts';
import { LIMITS, MATCH } from '../../../mock-server/rules/match.ts';
import { describedFields, type Shape } from '../../../mock-server/rules/words.ts';

/** Every fault with its fields and phases, and what all rules have: `mock --help faults`. */
export function faultHelp(): string {
  const faults = Object.entries(FAULTS).map(([name, { meaning, phases, defaultPhase, parameters }]) => {
    const others = phases.filter((phase) => phase !== defaultPhase);
    return `${name}\n  ${meaning}\n${lines(parameters)}  phase: ${[defaultPhase, ...others].join(', ')}\n`;
  });
  return `Faults of the mock, for --fault, a scenario file, POST /control/faults and the header x-mock-fault:
NAME, then FIELD=VALUE in any order; a value with spaces stands in double quotes, as in JSON.

Which requests, on a line beside the rest, and in JSON in match:
${lines(MATCH)}
How often:
${lines(LIMITS)}
Where in the request: phase. The default stands first; handshake: before the request, with --tls.
Milliseconds of latency, slow_accept and timeout are a number, or drawn from the seed:
  100..500, normal:MEAN,DEVIATION or lognormal:P50,P99

${faults.join('\n')}
Chosen answers, for --answer, files and POST /control/answers, have the same words for which requests and how often, then:
${lines(ANSWER)}
Each fault has a recipe: docs/cookbook.md, by symptom.
`;
}

function lines(shape: Shape): string {
  return describedFields(shape)
    .map(({ name, meaning }) => `  ${name}: ${meaning}\n`)
    .join('');
}
