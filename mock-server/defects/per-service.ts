/** What a defect remembers of each service. It forgets with a reset, which starts another service. */
export function perService<Memory>(create: () => Memory): (owner: object) => Memory {
  const memories = new WeakMap<object, Memory>();
  return (owner) => {
    const memory = memories.get(owner) ?? create();
    memories.set(owner, memory);
    return memory;
  };
}
