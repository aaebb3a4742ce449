import { ControlError } from './control-failure.ts';
import type { Deployment } from '../model/deployment.ts';

/** Disarms what is armed still; why it could not be done, or undefined when nothing is armed any more. */
export async function disarmIfArmed(deployment: Deployment | undefined): Promise<string | undefined> {
  if (deployment?.isArmed() !== true) return undefined;
  try {
    await deployment.disarm();
    return undefined;
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    return `a fault may still be armed: ${error.message}`;
  }
}
