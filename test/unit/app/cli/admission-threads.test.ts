import { expect, test } from "bun:test";
import { run, startedWith } from "./run.ts";

const DEVNET = ["sequencer", "--preset", "devnet"];

test("submissions are validated by one thread, or as many as configured", async () => {
  expect((await startedWith(DEVNET)).admissionThreads).toBe(1);
  for (const count of [1, 4, 16]) {
    const options = await startedWith([...DEVNET, "--admission-threads", String(count)]);
    expect(options.admissionThreads).toBe(count);
  }
});

test.each(["0", "17", "-1", "2.5", "many"])("refuses --admission-threads %s", async (text) => {
  const { code, err } = await run([...DEVNET, "--admission-threads", text]);
  expect(code).toBe(2);
  expect(err).toContain("--admission-threads");
});
