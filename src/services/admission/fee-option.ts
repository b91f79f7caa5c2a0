/** Validation option for a chain with or without fees. */
export function feeOption(chargeFees: boolean): { readonly chargeFee?: false } {
  return chargeFees ? {} : { chargeFee: false };
}
