import { readdirSync } from "node:fs";
import { expectSuite } from "#test/helpers/conformance/check.ts";
import { fixturePath, readFixtureJson, sharedTest } from "#test/helpers/shared.ts";

/** The compiler is not built yet: what it will be compared with is counted, nothing else. */
sharedTest("the table of conformance counts all that the compiler will be compared with", () => {
  const classes = readFixtureJson("casm-golden", "index.json") as readonly { id: string }[];
  const functions = Object.keys(readFixtureJson("sierra-to-casm", "e2e.json") as object);
  const programs = readdirSync(fixturePath("sierra-to-casm", "test_data")).filter((name) =>
    name.endsWith(".sierra"),
  );
  expectSuite("compiler", {
    compared: 0,
    leftOut: [
      ...new Set(classes.map(({ id }) => `class ${id}`)),
      ...functions.map((name) => `function ${name}`),
      ...programs.map((name) => `program ${name}`),
    ],
  });
});
