import { NodeError } from "#base/errors/index.ts";

/** Questions to another thread that are not answered yet, by the id that goes with each. */
export class Questions<Answer> {
  readonly #open = new Map<number, PromiseWithResolvers<Answer>>();
  #lastId = 0;
  #isStopped = false;

  /**
   * Asks.
   *
   * @throws {NodeError} NODE_STOPPED once {@link stop} was called
   */
  ask(post: (id: number) => void): Promise<Answer> {
    if (this.#isStopped) return Promise.reject(stopped());
    const id = ++this.#lastId;
    const question = Promise.withResolvers<Answer>();
    this.#open.set(id, question);
    post(id);
    return question.promise;
  }

  /** An answer has come; one that nobody waits for is left alone. */
  answer(id: number, answer: Answer): void {
    const question = this.#open.get(id);
    this.#open.delete(id);
    question?.resolve(answer);
  }

  /** Nobody is going to answer any more. */
  stop(): void {
    this.#isStopped = true;
    for (const question of this.#open.values()) question.reject(stopped());
    this.#open.clear();
  }
}

function stopped(): NodeError {
  return new NodeError("NODE_STOPPED", "the node stops");
}
