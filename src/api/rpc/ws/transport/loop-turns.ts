/** Numbers the turns of the event loop, to distinguish what happens in one turn from what happens later. */
export class LoopTurns {
  readonly #later: (turn: () => void) => void;
  #number = 0;
  #isCounting = false;

  /** @param later - calls back once the current turn is over */
  constructor(later: (turn: () => void) => void) {
    this.#later = later;
  }

  /** Number of the current turn; higher in every later turn. */
  get number(): number {
    if (!this.#isCounting) {
      this.#isCounting = true;
      this.#later(() => {
        this.#isCounting = false;
        this.#number++;
      });
    }
    return this.#number;
  }
}
