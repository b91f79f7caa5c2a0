import type { Felt } from "#base/primitives/index.ts";
import { blobFromUint } from "../blob.ts";
import { GenerationCache } from "../cache.ts";
import type { writeStatements } from "./write-statements.ts";

/** Maximum cached ids, about 150 bytes each. */
const MAX_CACHED = 65_536;

/** Gives felts their ids, and stores new ones. */
export class FeltIds {
  readonly #statements: Pick<ReturnType<typeof writeStatements>, "feltId" | "addFelt">;
  readonly #known = new GenerationCache<Felt, number>(MAX_CACHED);
  /** Highest id given. */
  last: number;

  /** @param last - highest stored id; 0 if none */
  constructor(
    statements: Pick<ReturnType<typeof writeStatements>, "feltId" | "addFelt">,
    last: number,
  ) {
    this.#statements = statements;
    this.last = last;
  }

  /** Returns the id of a felt, a new one if it has none. Needs an open transaction. */
  of(felt: Felt): number {
    const known = this.#known.get(felt);
    if (known !== undefined) return known;
    const value = blobFromUint(felt);
    const row = this.#statements.feltId.get(value);
    const id = row === undefined ? this.last + 1 : Number(row.id);
    if (row === undefined) {
      this.#statements.addFelt.run(id, value);
      this.last = id;
    }
    this.#known.set(felt, id);
    return id;
  }

  /** Continues after the highest stored id, because rows were removed or not stored. */
  reset(last: number): void {
    this.last = last;
    this.#known.clear();
  }
}
