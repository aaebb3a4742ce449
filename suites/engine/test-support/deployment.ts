import type { Deployment } from '../model/deployment.ts';

/** A deployment by hand with a balance that rests, whose faults trigger once; `asked` notes what it is asked for. */
export function deploymentForTest(more: Partial<Deployment> = {}) {
  const asked: string[] = [];
  let isArmed = false;
  const deployment: Deployment = {
    patienceMs: 0,
    arm: async ({ fault }) => {
      isArmed = true;
      asked.push(`arm ${fault}`);
    },
    triggerCount: async () => 1,
    disarm: async () => {
      if (isArmed) asked.push('disarm');
      isArmed = false;
    },
    requests: async () => [],
    balance: async () => ({ available: 100, held: 0 }),
    release: async (requestId) => void asked.push(`release ${requestId}`),
    close: async () => {},
    ...more,
  };
  return { deployment, asked };
}
