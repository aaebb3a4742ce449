import { wrongContent, wrongRole } from '../../fixtures/invalid/wrong-fields.ts';
import { isRefused } from '../engine/inputs/judging/is-refused.ts';
import { refusals } from '../engine/inputs/provoking/refusal-stimulus.ts';
import { check } from '../engine/model/check.ts';

export const wrongRoleRefused = check({
  id: 'wrong-role-refused',
  clauses: ['MSG-1'],
  title: 'refuses a role other than system, user and assistant',
  given: refusals({ name: 'wrong-role', cappedCount: 6, fixedCount: 6, ...wrongRole }),
  holds: isRefused('MSG-1'),
});

export const wrongContentRefused = check({
  id: 'wrong-content-refused',
  clauses: ['MSG-2'],
  title: 'refuses content that is neither text nor a list of parts with an image',
  given: refusals({ name: 'wrong-content', cappedCount: 7, fixedCount: 7, ...wrongContent }),
  holds: isRefused('MSG-2'),
});
