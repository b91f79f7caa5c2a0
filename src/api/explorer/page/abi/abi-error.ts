/** Maximum characters of a message; types and names of hostile ABIs are long. */
const MAX_LENGTH = 1_000;

/** Value or text that does not fit a type of an ABI; the message names the place and the expected form. */
export class AbiError extends Error {
  /** Place of the value, such as `calls[2].to`. */
  readonly place: string;

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`.slice(0, MAX_LENGTH));
    this.name = "AbiError";
    this.place = place;
  }
}
