import { describe, expect, test } from "bun:test";
import { run, startedWith } from "./run.ts";

const DEVNET = ["sequencer", "--preset", "devnet"];

describe("--start-timeout", () => {
  test("defaults to 30 s, and is parsed as milliseconds", async () => {
    expect((await startedWith(DEVNET)).startTimeoutMs).toBe(30_000);
    expect((await startedWith([...DEVNET, "--start-timeout", "5s"])).startTimeoutMs).toBe(5_000);
    expect((await startedWith([...DEVNET, "--start-timeout", "1h"])).startTimeoutMs).toBe(
      3_600_000,
    );
  });

  test.each(["0s", "999ms", "3601s", "20", "soon"])("refuses %s", async (text) => {
    const { code, err } = await run([...DEVNET, `--start-timeout=${text}`]);
    expect(code).toBe(2);
    expect(err).toContain("--start-timeout");
  });
});
