import { FIGURES, MACHINE } from "../data/benchmarks.ts";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

/** What the program was measured at. */
export const benchmarksPage: Page = {
  file: "benchmarks.md",
  title: "Benchmarks",
  from: "scripts/docs-lib/data/benchmarks.ts",
  body: () =>
    parts(
      `Medians on ${MACHINE}.`,
      table(
        ["benchmark", "figure", "command"],
        FIGURES.map(({ what, figure, bench }) => [what, figure, code(`./scripts/bench ${bench}`)]),
      ),
      "Figures of `rpc` are medians of five runs of a second each, quantiles too, while others worked on the same two cores (load 4 to 8 with the benchmark itself): blocks, state updates and traces are of one block that is asked for again and again, whose answers are kept; `block-answers` has what they take to make.",
      "Each file of `test/bench` prints its figures; no test asserts a time. `./scripts/bench` without a name lists them. `transfers` and `node` need `dist/appchain` (`./scripts/build`).",
    ),
};
