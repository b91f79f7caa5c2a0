/** Returns the option that turns off fee checks at validation on a chain that charges no fees. */
export function feeOption(chargeFees: boolean): { readonly chargeFee?: false } {
  return chargeFees ? {} : { chargeFee: false };
}
