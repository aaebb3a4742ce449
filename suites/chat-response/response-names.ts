import type { OpenPointName } from '../../fixtures/open-points.ts';
import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { check } from '../kit/check.ts';
import { inFirstChoice } from '../kit/reading/find-finish-reason.ts';
import type { Usage } from '../kit/reading/find-usage.ts';
import type { CompletionReading } from '../kit/reading/read-completion.ts';
import { type Observation, observed } from '../kit/ruling.ts';
import { ofChoices } from './judge-response.ts';

export const responseNames = check({
  id: 'response-names',
  clauses: ['RES-6'],
  title: 'names finish reason, usage and further fields of a response in its own way',
  given: acceptedChats,
  holds: ofChoices(([first], { body, usage }) => {
    const reason = first?.finishReason;
    return observed(
      { point: 'response.fields' satisfies OpenPointName, value: Object.keys(body).toSorted() },
      ...(typeof reason === 'object' ? [named('response.finish_reason', inFirstChoice(reason.pointer))] : []),
      ...usageNames(usage),
    );
  }),
});

function usageNames(usage: CompletionReading['usage']): readonly Observation[] {
  if (typeof usage !== 'object') return [];
  const { pointer, input, output, total } = usage;
  return [
    named('response.usage', pointer),
    ...countName('response.usage.input', input),
    ...countName('response.usage.output', output),
    ...countName('response.usage.total', total),
  ];
}

function countName(point: OpenPointName, count: Usage['input']): readonly Observation[] {
  return count === undefined ? [] : [named(point, count.pointer.slice(count.pointer.lastIndexOf('/') + 1))];
}

function named(point: OpenPointName, value: string): Observation {
  return { point, value };
}
