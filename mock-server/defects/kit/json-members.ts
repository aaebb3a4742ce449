/** The members of a JSON object. Each function returns the very same object where nothing changes. */
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

/** Changes one member, if the object has it. */
export function mapMember(members: Members, name: string, change: (value: unknown) => unknown): Members {
  if (!Object.hasOwn(members, name)) return members;
  const value = change(members[name]);
  return value === members[name] ? members : { ...members, [name]: value };
}

/** Changes each message of a chat, if it has any. */
export function mapMessages(
  chat: Members,
  change: (message: unknown, index: number, all: readonly unknown[]) => unknown,
): Members {
  return mapMember(chat, 'messages', (messages) => {
    if (!Array.isArray(messages)) return messages;
    const changed = messages.map(change);
    return changed.every((message, index) => message === messages[index]) ? messages : changed;
  });
}

/** Changes each choice, of a response or of a chunk. */
export function mapChoices(body: Members, change: (choice: Members) => unknown): Members {
  return mapMember(body, 'choices', (choices) =>
    Array.isArray(choices)
      ? choices.map((choice: unknown) => (isObject(choice) ? change(choice) : choice))
      : choices,
  );
}
