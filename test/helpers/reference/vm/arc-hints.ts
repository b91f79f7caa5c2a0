import { P } from "../field.ts";
import { at, type Memory, type Pointer, type Value } from "./memory.ts";

const THIRD = 3544607988759775765608368578435044694n;
const HALF = 5316911983139663648412552867652567041n;

/** The hints of `assert_le_felt`: which of the three arcs of the field's circle is excluded. */
export class ArcHints {
  readonly #memory: Memory;
  #excluded = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Executes one hint; false for a hint of another kind. */
  execute(
    name: string,
    int: (field: string) => bigint,
    address: (field: string) => Pointer,
    store: (field: string, value: Value | boolean) => void,
  ): boolean {
    switch (name) {
      case "AssertLeFindSmallArcs": {
        const [a, b] = [int("a"), int("b")];
        const arcs = [a, (b - a + P) % P, (P - 1n - b + P) % P].map((length, index) => ({
          length,
          index,
        }));
        arcs.sort((x, y) =>
          x.length < y.length ? -1 : x.length > y.length ? 1 : x.index - y.index,
        );
        const [small, middle, large] = arcs as [
          (typeof arcs)[0],
          (typeof arcs)[0],
          (typeof arcs)[0],
        ];
        this.#excluded = large.index;
        const start = address("range_check_ptr");
        this.#memory.set(start, small.length % THIRD);
        this.#memory.set(at(start, 1), small.length / THIRD);
        this.#memory.set(at(start, 2), middle.length % HALF);
        this.#memory.set(at(start, 3), middle.length / HALF);
        return true;
      }
      case "AssertLeIsFirstArcExcluded":
        store("skip_exclude_a_flag", this.#excluded !== 0);
        return true;
      case "AssertLeIsSecondArcExcluded":
        store("skip_exclude_b_minus_a", this.#excluded !== 1);
        return true;
      default:
        return name.startsWith("Assert") || name === "DebugPrint";
    }
  }
}
