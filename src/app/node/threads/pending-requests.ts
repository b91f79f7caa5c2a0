/** Returns a counter that starts at 0. */
export function ids(): () => number {
  let next = 0;
  return () => next++;
}

interface PendingRequest<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly send: (id: number) => void;
}

/** Unanswered requests by id. */
export class PendingRequests<Answer> {
  readonly #open = new Map<number, PendingRequest<Answer>>();
  readonly #nextId: () => number;

  /** @param nextId - returns request ids, each one once */
  constructor(nextId: () => number) {
    this.#nextId = nextId;
  }

  /** Sends a request with a new id. @returns settles with the response */
  ask(send: (id: number) => void): Promise<Answer> {
    const id = this.#nextId();
    return new Promise((resolve) => {
      this.#open.set(id, { resolve, send });
      send(id);
    });
  }

  /** Sends every open request again, with the same id: its receiver has restarted. */
  askAgain(): void {
    for (const [id, { send }] of [...this.#open]) send(id);
  }

  /** Resolves every open request with the same response. */
  answerAll(answer: Answer): void {
    for (const id of [...this.#open.keys()]) this.answer(id, answer);
  }

  /** Resolves a request; ignores unknown ids. */
  answer(id: number, answer: Answer): void {
    this.#open.get(id)?.resolve(answer);
    this.#open.delete(id);
  }
}
