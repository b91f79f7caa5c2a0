import { describe, expect, test } from "bun:test";
import { run, startedWith } from "./run.ts";

const DEVNET = ["sequencer", "--preset", "devnet"];

describe("--stall-timeout", () => {
  test("defaults to 20 s, and is parsed as milliseconds", async () => {
    expect((await startedWith(DEVNET)).stallTimeoutMs).toBe(20_000);
    expect((await startedWith([...DEVNET, "--stall-timeout", "5s"])).stallTimeoutMs).toBe(5_000);
    expect((await startedWith([...DEVNET, "--stall-timeout", "1h"])).stallTimeoutMs).toBe(
      3_600_000,
    );
  });

  test.each(["0s", "4s", "3601s", "20", "soon"])("refuses %s", async (text) => {
    const { code, err } = await run([...DEVNET, `--stall-timeout=${text}`]);
    expect(code).toBe(2);
    expect(err).toContain("--stall-timeout");
  });
});
