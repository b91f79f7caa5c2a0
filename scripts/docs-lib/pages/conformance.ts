import { SUITES } from "#test/helpers/conformance/suites.ts";
import { countOf, type Exception, type Suite } from "#test/helpers/conformance/suite.ts";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

function grouped(count: number): string {
  return count.toLocaleString("en").replaceAll(",", " ");
}

function exceptionTable(exceptions: readonly Exception[]): string {
  return table(
    ["what", "number", "reason"],
    exceptions.map(({ what, count, reason }) => [what, grouped(count), reason]),
  );
}

function section({ title, test, against, unit, compared, leftOut, inPart }: Suite): string {
  const left = countOf(leftOut);
  const texts = [
    `## ${title}`,
    `${grouped(compared)} ${unit} compared, ${left === 0 ? "none" : grouped(left)} left out. Against: ${against}. Test: ${code(test)}.`,
  ];
  if (leftOut.length > 0) texts.push("Left out:", exceptionTable(leftOut));
  if (inPart.length > 0) texts.push("Compared in part:", exceptionTable(inPart));
  return parts(...texts);
}

/** What is compared with data that others made, and every exception. */
export const conformancePage: Page = {
  file: "conformance.md",
  title: "Conformance",
  from: "test/helpers/conformance/suites.ts",
  body: () =>
    parts(
      "What is compared with data that others made: the specification, public networks, the reference execution engine, other nodes. Every exception is counted; the tests check these numbers against their data.",
      table(
        ["suite", "compared", "left out", "in part"],
        Object.values<Suite>(SUITES).map(({ title, unit, compared, leftOut, inPart }) => [
          title,
          `${grouped(compared)} ${unit}`,
          grouped(countOf(leftOut)),
          grouped(countOf(inPart)),
        ]),
      ),
      "`./scripts/test spec unit` runs the suites, with a sample of the largest sets; `./scripts/test --full` runs all of them. Their data is read from `../shared/fixtures` beside the repository; in a clone without that folder the tests are left out, and the run says how many.",
      ...Object.values<Suite>(SUITES).map(section),
    ),
};
