import { expect, test } from "bun:test";
import { createOutput } from "#app/cli/output.ts";

function output() {
  const written: [stream: string, text: string][] = [];
  const to = (stream: string) => ({ write: (text: string) => written.push([stream, text]) });
  return { written, ...createOutput(to("stdout"), to("stderr")) };
}

test("answers go to standard output and errors to standard error, as they are", () => {
  const { written, out, err } = output();
  const line = 'a "b" %s \u001b[1m\n  {"args":[1]}';
  out(line);
  err(`error: ${line}`);
  out("");
  expect(written).toEqual([
    ["stdout", `${line}\n`],
    ["stderr", `error: ${line}\n`],
    ["stdout", "\n"],
  ]);
});

test("equal lines are all written, at once", () => {
  const { written, out } = output();
  for (let i = 0; i < 50; i++) out("same");
  expect(written).toHaveLength(50);
});
