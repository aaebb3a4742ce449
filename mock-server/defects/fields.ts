/** The members of a JSON object. Each of these functions gives the very same object back where nothing changes. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without the members of which `isDropped` says so. `__proto__` is a member like any other. */
export function dropping(fields: Fields, isDropped: (name: string, value: unknown) => boolean): Fields {
  const all = Object.entries(fields);
  const kept = all.filter(([name, value]) => !isDropped(name, value));
  return kept.length === all.length ? fields : Object.fromEntries(kept);
}

export function without(fields: Fields, ...names: readonly string[]): Fields {
  return dropping(fields, (name) => names.includes(name));
}

/** With one member, should the object have it, as `change` makes it. */
export function changing(fields: Fields, name: string, change: (value: unknown) => unknown): Fields {
  if (!Object.hasOwn(fields, name)) return fields;
  const value = change(fields[name]);
  return value === fields[name] ? fields : { ...fields, [name]: value };
}

type Message = (message: unknown, index: number, all: readonly unknown[]) => unknown;

/** With each of its messages, should it have any, as `change` makes it. */
export function changingMessages(chat: Fields, change: Message): Fields {
  return changing(chat, 'messages', (messages) => {
    if (!Array.isArray(messages)) return messages;
    const changed = messages.map(change);
    return changed.every((message, index) => message === messages[index]) ? messages : changed;
  });
}
