import { ControlError } from './control-failure.ts';
import type { Balance, Deployment } from '../model/deployment.ts';
import { pollUntil } from './poll-until.ts';

/** The balance once it is the same twice in a row: until then something else is under way in the workspace. */
export async function waitForStableBalance({ balance, patienceMs }: Deployment): Promise<Balance> {
  let before = await balance();
  const pair = async (): Promise<readonly [Balance, Balance]> => {
    const earlier = before;
    before = await balance();
    return [earlier, before];
  };
  const [earlier, later] = await pollUntil(pair, ([one, other]) => isSame(one, other), patienceMs);
  if (isSame(earlier, later)) return later;
  throw new ControlError('not-done', 'the workspace never rests: something else uses it too');
}

function isSame(one: Balance, other: Balance): boolean {
  return one.available === other.available && one.held === other.held;
}
