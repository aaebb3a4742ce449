export type Members = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a text; undefined: it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Drops the members that `isDropped` names. `__proto__` is a member like any other. */
export function dropMembers(members: Members, isDropped: (name: string, value: unknown) => boolean): Members {
  return Object.fromEntries(Object.entries(members).filter(([name, value]) => !isDropped(name, value)));
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

/** A change of what is an object, and of nothing else. */
export function inObjects(change: (members: Members, place: Place) => unknown): Change {
  return (value, place) => (isObject(value) ? change(value, place) : value);
}

/** Changes what a path leads to, such as `messages.*.content`: `*` is each element of a list, `message|delta` each of the two. */
export function changeAt(body: Members, path: string, change: Change): Members {
  const inside = (value: unknown, [step, ...rest]: readonly string[], place: Place): unknown => {
    if (step === undefined) return change(value, place);
    if (step === '*')
      return Array.isArray(value)
        ? value.map((each, index) => inside(each, rest, { body, index, isLast: index === value.length - 1 }))
        : value;
    if (!isObject(value)) return value;
    const names = step.split('|').filter((name) => Object.hasOwn(value, name));
    return { ...value, ...Object.fromEntries(names.map((name) => [name, inside(value[name], rest, place)])) };
  };
  const changed = inside(body, path.split('.'), { body, index: 0, isLast: true });
  return isObject(changed) ? changed : body;
}
