/** Numbers from 0 on. */
export function ids(): () => number {
  let next = 0;
  return () => next++;
}

interface OpenQuestion<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly send: (id: number) => void;
}

/** Questions that were asked and not answered yet, by their number. */
export class OpenQuestions<Answer> {
  readonly #open = new Map<number, OpenQuestion<Answer>>();
  readonly #nextId: () => number;

  /** @param nextId - numbers of questions, none twice */
  constructor(nextId: () => number) {
    this.#nextId = nextId;
  }

  /** Asks with a number of its own. @returns settles with the answer */
  ask(send: (id: number) => void): Promise<Answer> {
    const id = this.#nextId();
    return new Promise((resolve) => {
      this.#open.set(id, { resolve, send });
      send(id);
    });
  }

  /** Asks every open question once more, with its number: nobody heard it. */
  askAgain(): void {
    for (const [id, { send }] of [...this.#open]) send(id);
  }

  /** The same answer to every open question. */
  answerAll(answer: Answer): void {
    for (const id of [...this.#open.keys()]) this.answer(id, answer);
  }

  /** The answer to a question; one that is not open is left alone. */
  answer(id: number, answer: Answer): void {
    this.#open.get(id)?.resolve(answer);
    this.#open.delete(id);
  }
}
