import type { Felt } from "#base/primitives/index.ts";
import type { NumberedRequest } from "./recorder.ts";

/** Recorded requests by where a dump has them; each is given out once. */
export class SortedRequests {
  readonly #byHash = new Map<Felt, NumberedRequest>();
  readonly #makers = new Map<number, NumberedRequest>();
  readonly #writes = new Map<number, NumberedRequest[]>();
  /** By their blocks, then by their numbers. */
  readonly #settings: NumberedRequest[];
  /** By their numbers. */
  readonly #immediate: NumberedRequest[];

  constructor(requests: readonly NumberedRequest[]) {
    for (const request of requests) {
      const { kind, hash, block } = request;
      if (kind === "transaction" && hash !== undefined) this.#byHash.set(hash, request);
      else if (kind === "block") this.#makers.set(block, request);
      else if (kind === "write") {
        const writes = this.#writes.get(block);
        if (writes === undefined) this.#writes.set(block, [request]);
        else writes.push(request);
      }
    }
    const inOrder = (a: NumberedRequest, b: NumberedRequest): number =>
      a.block - b.block || a.number - b.number;
    this.#settings = requests.filter(({ kind }) => kind === "next").sort(inOrder);
    this.#immediate = requests.filter(({ kind }) => kind === "now").reverse();
    this.#settings.reverse();
  }

  /** What comes before block `number` is opened. */
  *before(number: number): Generator<NumberedRequest> {
    for (;;) {
      const setting = dueAt(this.#settings, number);
      const immediate = dueAt(this.#immediate, number);
      const isFirst =
        setting !== undefined && (immediate === undefined || setting.number < immediate.number);
      const due = isFirst ? this.#settings.pop() : immediate && this.#immediate.pop();
      if (due === undefined) return;
      yield due;
    }
  }

  /** What was asked for before request `number`, and has an effect on it. */
  *immediateBefore(number: number): Generator<NumberedRequest> {
    for (;;) {
      const last = this.#immediate.at(-1);
      if (last === undefined || last.number > number) return;
      this.#immediate.pop();
      yield last;
    }
  }

  /** The request for a transaction; `undefined` when there was none. */
  placed(hash: Felt): NumberedRequest | undefined {
    const request = this.#byHash.get(hash);
    this.#byHash.delete(hash);
    return request;
  }

  /** The request that block `number` was made for. */
  makerOf(number: number): NumberedRequest | undefined {
    return this.#makers.get(number);
  }

  /** Writes into block `number`. */
  writesOf(number: number): readonly NumberedRequest[] {
    return this.#writes.get(number) ?? [];
  }

  /** Requests for transactions that are in no block. */
  unplaced(): readonly NumberedRequest[] {
    return [...this.#byHash.values()];
  }
}

/** The last of a list in falling order, when its block is not after `number`. */
function dueAt(list: readonly NumberedRequest[], number: number): NumberedRequest | undefined {
  const last = list.at(-1);
  return last !== undefined && last.block <= number ? last : undefined;
}
