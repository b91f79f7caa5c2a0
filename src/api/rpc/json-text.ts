/** JSON that is text already, and stays as it is: a Cairo 0 class loses its hash with its order of members. */
export class JsonText {
  readonly text: string;

  /** @param text - one JSON value */
  constructor(text: string) {
    this.text = text;
  }
}
