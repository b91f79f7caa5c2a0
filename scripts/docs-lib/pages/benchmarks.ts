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
      "Each file of `test/bench` prints its figures; no test asserts a time. `./scripts/bench` without a name lists them. `transfers` and `node` need `dist/appchain` (`./scripts/build`).",
    ),
};
