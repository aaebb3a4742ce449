import { wrongContent, wrongContentFirst } from '../../fixtures/invalid/wrong-content.ts';
import { wrongRole, wrongRoleFirst } from '../../fixtures/invalid/wrong-role.ts';
import { check } from '../kit/model/check.ts';
import { isRefused } from '../kit/judging/is-refused.ts';
import { refusals } from '../kit/provoking/refusal-stimulus.ts';

export const wrongRoleRefused = check({
  id: 'wrong-role-refused',
  clauses: ['MSG-1'],
  title: 'refuses a message whose role is none of system, user and assistant',
  given: refusals({ name: 'wrong-role', few: 8, steady: 6, first: wrongRoleFirst, drawn: wrongRole }),
  holds: isRefused('MSG-1'),
});

export const wrongContentRefused = check({
  id: 'wrong-content-refused',
  clauses: ['MSG-2'],
  title: 'refuses a message whose content is neither text nor a list of parts with an image',
  given: refusals({
    name: 'wrong-content',
    few: 8,
    steady: 6,
    first: wrongContentFirst,
    drawn: wrongContent,
  }),
  holds: isRefused('MSG-2'),
});
