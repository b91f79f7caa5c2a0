/** The option of a validation on a chain that takes fees, or none. */
export function feeOption(chargeFees: boolean): { readonly chargeFee?: false } {
  return chargeFees ? {} : { chargeFee: false };
}
