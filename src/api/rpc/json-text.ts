/** Pre-encoded JSON that is sent verbatim: a Cairo 0 class keeps its hash only with its order of members. */
export class JsonText {
  readonly text: string;

  /** @param text - one JSON value */
  constructor(text: string) {
    this.text = text;
  }
}
