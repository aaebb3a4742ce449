import type { OpenPointName } from '../../fixtures/clauses/open-points.ts';
import { observePoint } from '../kit/judging/observations.ts';
import { check } from '../kit/model/check.ts';
import { type Observation, observed } from '../kit/model/ruling.ts';
import type { Profile } from '../kit/model/target.ts';
import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { inFirstChoice } from '../kit/reading/completions/find-finish-reason.ts';
import type { Usage } from '../kit/reading/completions/find-usage.ts';
import type { CompletionReading } from '../kit/reading/completions/read-completion.ts';
import { judgeChoices } from './judge-response.ts';

export const responseNames = check({
  id: 'response-names',
  clauses: ['RES-6'],
  title: 'chooses the names of the finish reason, the usage and the other fields of a response',
  given: acceptedChats,
  holds: judgeChoices(([first], { body, usage }, { profile }) => {
    // Stryker disable next-line OptionalChaining: another check fails responses without choices
    const reason = first?.finishReason;
    const place = typeof reason === 'object' ? inFirstChoice(reason.pointer) : undefined;
    return observed(
      { point: 'response.fields' satisfies OpenPointName, value: Object.keys(body).toSorted() },
      ...observePoint('response.finish_reason', place, profile),
      ...usageNames(usage, profile),
    );
  }),
});

function usageNames(usage: CompletionReading['usage'], profile: Profile): readonly Observation[] {
  // Stryker disable next-line ConditionalExpression: only narrows the type: other shapes lead to the same result
  const found = typeof usage === 'object' ? usage : undefined;
  return [
    ...observePoint('response.usage', found?.pointer, profile),
    ...observePoint('response.usage.input', nameOf(found?.input), profile),
    ...observePoint('response.usage.output', nameOf(found?.output), profile),
    ...observePoint('response.usage.total', nameOf(found?.total), profile),
  ];
}

function nameOf(count: Usage['input']): string | undefined {
  return count?.pointer.slice(count.pointer.lastIndexOf('/') + 1);
}
