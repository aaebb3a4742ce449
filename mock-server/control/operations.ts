import { FAULT_OPERATIONS } from './fault-operations.ts';
import { JOURNAL_OPERATIONS } from './journal-operations.ts';
import { openApiOperation } from './open-api.ts';
import type { Operation } from './operation.ts';
import { SANDBOX_OPERATIONS } from './sandbox-operations.ts';
import { WORKSPACE_OPERATIONS } from './workspace-operations.ts';
import { WORLD_OPERATIONS } from './world-operations.ts';

const DESCRIBED = [
  ...SANDBOX_OPERATIONS,
  ...WORLD_OPERATIONS,
  ...FAULT_OPERATIONS,
  ...WORKSPACE_OPERATIONS,
  ...JOURNAL_OPERATIONS,
];

/** All that every control API does. */
export const OPERATIONS: readonly Operation[] = [...DESCRIBED, openApiOperation(DESCRIBED)];

/** The same, and what one does besides. */
export function operationsWith(more: readonly Operation[]): readonly Operation[] {
  if (more.length === 0) return OPERATIONS;
  const described = [...DESCRIBED, ...more];
  return [...described, openApiOperation(described)];
}
