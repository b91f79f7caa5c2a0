import { NodeError } from "#base/errors/index.ts";

/** Pending requests to another thread, by their id. */
export class Questions<Answer> {
  readonly #open = new Map<number, PromiseWithResolvers<Answer>>();
  #lastId = 0;
  #isStopped = false;

  /**
   * Sends a request.
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

  /** Settles a request with its response; unknown ids are ignored. */
  answer(id: number, answer: Answer): void {
    const question = this.#open.get(id);
    this.#open.delete(id);
    question?.resolve(answer);
  }

  /** Rejects all pending and future requests: no more responses will arrive. */
  stop(): void {
    this.#isStopped = true;
    for (const question of this.#open.values()) question.reject(stopped());
    this.#open.clear();
  }
}

function stopped(): NodeError {
  return new NodeError("NODE_STOPPED", "the node stops");
}
