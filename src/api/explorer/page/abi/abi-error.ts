/** Value or text that does not fit a type of an ABI; the message names the place and the expected form. */
export class AbiError extends Error {
  /** Place of the value, such as `calls[2].to`. */
  readonly place: string;

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.name = "AbiError";
    this.place = place;
  }
}
