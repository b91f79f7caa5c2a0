import { SUITES } from "#test/helpers/conformance/suites.ts";
import { countOf, type Exception, type Suite } from "#test/helpers/conformance/suite.ts";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

function grouped(count: number): string {
  return count.toLocaleString("en").replaceAll(",", " ");
}

function exceptionTable(exceptions: readonly Exception[]): string {
  return table(
    ["subject", "number", "reason"],
    exceptions.map(({ what, count, reason }) => [what, grouped(count), reason]),
  );
}

function section({ title, test, against, unit, compared, leftOut, inPart }: Suite): string {
  const left = countOf(leftOut);
  const texts = [
    `## ${title}`,
    `${grouped(compared)} ${unit} compared, ${left === 0 ? "none" : grouped(left)} omitted. Against: ${against}. Test: ${code(test)}.`,
  ];
  if (leftOut.length > 0) texts.push("Omitted:", exceptionTable(leftOut));
  if (inPart.length > 0) texts.push("Compared in part:", exceptionTable(inPart));
  return parts(...texts);
}

/** Comparisons with data of other programs, and every exception. */
export const conformancePage: Page = {
  file: "conformance.md",
  title: "Conformance",
  from: "test/helpers/conformance/suites.ts",
  body: () =>
    parts(
      "Comparisons with external data: the specification, public networks, the reference execution engine, other nodes. Every exception is counted; the tests check these numbers against their data.",
      table(
        ["suite", "compared", "omitted", "in part"],
        Object.values<Suite>(SUITES).map(({ title, unit, compared, leftOut, inPart }) => [
          title,
          `${grouped(compared)} ${unit}`,
          grouped(countOf(leftOut)),
          grouped(countOf(inPart)),
        ]),
      ),
      "`./scripts/test spec unit` runs the suites, with a sample of the largest sets; `./scripts/test --full` runs all of them. They read their data from `../shared/fixtures` next to the repository. In a clone without that folder the tests are skipped, and the run reports how many.",
      ...Object.values<Suite>(SUITES).map(section),
    ),
};
