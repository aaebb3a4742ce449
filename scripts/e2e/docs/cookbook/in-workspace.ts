/** What the control API says of a request, as far as recipes speak of it. */
export interface Told {
  readonly state: string;
  readonly reservation: { readonly state: string } | null;
  readonly debit: number | null;
}

/** Whether a phrase of `workspace` is true of a request. Throws for one that nobody knows. */
export function isTold(phrase: string, { state, reservation, debit }: Told): boolean {
  const words = phrase.replaceAll(' ', '_');
  switch (words) {
    case 'nothing':
      return state === 'unreserved' && reservation === null && debit === null;
    case 'succeeded':
    case 'failed':
    case 'under_review':
      return state === words;
    case 'reservation_consumed':
    case 'reservation_released':
    case 'reservation_under_review':
      return `reservation_${reservation?.state}` === words;
    case 'debited':
      return debit !== null && debit > 0;
    case 'no_debit':
      return debit === null;
    default:
      throw new Error(`no workspace shows "${phrase}"`);
  }
}
