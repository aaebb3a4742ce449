/** The members of a JSON object. Each function returns the very same value where nothing changes. */
export type Members = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Drops the members that `isDropped` names. `__proto__` is a member like any other. */
export function dropMembers(members: Members, isDropped: (name: string, value: unknown) => boolean): Members {
  const all = Object.entries(members);
  const kept = all.filter(([name, value]) => !isDropped(name, value));
  return kept.length === all.length ? members : Object.fromEntries(kept);
}

export function without(members: Members, ...names: readonly string[]): Members {
  return dropMembers(members, (name) => names.includes(name));
}

/** Where a value stands: in which body, and where in the innermost list. */
export interface Place {
  readonly body: Members;
  readonly index: number;
  readonly isLast: boolean;
}

/** Returns what stands in place of a value; undefined: nothing does. */
export type Change = (value: unknown, place: Place) => unknown;

/** Changes what a path leads to, such as `messages.*.content`: `*` is each element of a list, `message|delta` each of the two. */
export function changeAt(body: Members, path: string, change: Change): Members {
  const inside = (value: unknown, [step, ...rest]: readonly string[], place: Place): unknown => {
    if (step === undefined) return change(value, place);
    if (step === '*') return mapList(value, (each, at) => inside(each, rest, { body, ...at }));
    if (!isObject(value)) return value;
    const members = { ...value };
    for (const name of step.split('|'))
      if (Object.hasOwn(members, name)) members[name] = inside(members[name], rest, place);
    return Object.keys(value).every((name) => members[name] === value[name]) ? value : members;
  };
  const changed = inside(body, path.split('.'), { body, index: 0, isLast: true });
  return isObject(changed) ? changed : body;
}

function mapList(list: unknown, change: (value: unknown, at: Omit<Place, 'body'>) => unknown): unknown {
  if (!Array.isArray(list)) return list;
  const changed = list.map((value, index) => change(value, { index, isLast: index === list.length - 1 }));
  return changed.every((value, index) => value === list[index]) ? list : changed;
}
