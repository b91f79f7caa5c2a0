import type { Felt } from "#base/primitives/index.ts";
import type { NumberedRequest } from "./recorder.ts";

/** Recorded requests by their position in a dump; each is returned once. */
export class SortedRequests {
  readonly #byHash = new Map<Felt, NumberedRequest>();
  readonly #makers = new Map<number, NumberedRequest>();
  readonly #writes = new Map<number, NumberedRequest[]>();
  /** Ordered by block, then by sequence number. */
  readonly #settings: NumberedRequest[];
  /** Ordered by sequence number. */
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

  /** Returns the requests that come before block `number` is opened. */
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

  /** Returns earlier requests that affect request `number`. */
  *immediateBefore(number: number): Generator<NumberedRequest> {
    for (;;) {
      const last = this.#immediate.at(-1);
      if (last === undefined || last.number > number) return;
      this.#immediate.pop();
      yield last;
    }
  }

  /** Returns the request of a transaction; `undefined` if it has none. */
  placed(hash: Felt): NumberedRequest | undefined {
    const request = this.#byHash.get(hash);
    this.#byHash.delete(hash);
    return request;
  }

  /** Returns the request that created block `number`. */
  makerOf(number: number): NumberedRequest | undefined {
    return this.#makers.get(number);
  }

  writesOf(number: number): readonly NumberedRequest[] {
    return this.#writes.get(number) ?? [];
  }

  /** Returns the requests of transactions that are in no block. */
  unplaced(): readonly NumberedRequest[] {
    return [...this.#byHash.values()];
  }
}

/** Returns the last element of a descending list if its block is not after `number`. */
function dueAt(list: readonly NumberedRequest[], number: number): NumberedRequest | undefined {
  const last = list.at(-1);
  return last !== undefined && last.block <= number ? last : undefined;
}
