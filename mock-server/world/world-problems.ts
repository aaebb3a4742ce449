import { jsonPointer } from '../protocol/service-error.ts';
import { unknownNames } from '../rules/rule-error.ts';
import type { World } from './world.ts';

/** A contradiction in a world, and its place (RFC 6901). */
export interface WorldProblem {
  readonly pointer: string;
  readonly message: string;
}

/** Finds what a schema of single values cannot: names without a referent, and duplicate names or keys. */
export function worldProblems(world: World): readonly WorldProblem[] {
  return [
    ...repeated('/models', 'id', world.models),
    ...repeated('/workspaces', 'id', world.workspaces),
    ...repeated('/keys', 'name', world.keys),
    ...repeated('/keys', 'key', world.keys),
    ...danglingNames(world),
    ...impossibleBounds(world),
    ...answersForNobody(world),
  ];
}

function repeated<Field extends string>(
  list: string,
  field: Field,
  items: readonly Readonly<Record<Field, string>>[],
): WorldProblem[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    if (!seen.has(item[field])) {
      seen.add(item[field]);
      return [];
    }
    return [{ pointer: `${list}/${index}/${field}`, message: 'is a duplicate' }];
  });
}

function danglingNames({ keys, models, workspaces }: World): WorldProblem[] {
  const modelIds = new Set(models.map(({ id }) => id));
  const workspaceIds = new Set(workspaces.map(({ id }) => id));
  return keys.flatMap((key, index) => {
    const missing = (key.models ?? []).flatMap((id, at) =>
      modelIds.has(id)
        ? []
        : [{ pointer: `/keys/${index}/models/${at}`, message: 'is not a model of this world' }],
    );
    if (workspaceIds.has(key.workspace)) return missing;
    return [...missing, { pointer: `/keys/${index}/workspace`, message: 'is not a workspace of this world' }];
  });
}

function answersForNobody({ answers = [], ...names }: World): WorldProblem[] {
  return unknownNames(answers, names).map(({ path, problem }) => ({
    pointer: jsonPointer(['answers', ...path]),
    message: problem,
  }));
}

function impossibleBounds({ choices, clock }: World): WorldProblem[] {
  const { temperatureMinimum, temperatureMaximum } = choices.request;
  const problems: WorldProblem[] = [];
  if (temperatureMinimum > temperatureMaximum) {
    problems.push({ pointer: '/choices/request/temperatureMinimum', message: 'is above the maximum' });
  }
  if (clock.kind === 'fixed' && Number.isNaN(Date.parse(clock.at)))
    problems.push({ pointer: '/clock/at', message: 'is not an instant' });
  return problems;
}
