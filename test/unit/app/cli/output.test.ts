import { expect, test } from "bun:test";
import { createOutput } from "#app/cli/output.ts";

function output() {
  const written: [stream: string, text: string][] = [];
  const to = (stream: string) => ({ write: (text: string) => written.push([stream, text]) });
  return { written, ...createOutput(to("stdout"), to("stderr")) };
}

test("writes output and errors to their streams unchanged", () => {
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

test("writes equal lines immediately, without merging", () => {
  const { written, out } = output();
  for (let i = 0; i < 50; i++) out("same");
  expect(written).toHaveLength(50);
});
