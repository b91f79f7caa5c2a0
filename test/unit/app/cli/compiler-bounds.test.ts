import { describe, expect, test } from "bun:test";
import { run, startedWith } from "./run.ts";

const DEVNET = ["sequencer", "--preset", "devnet"];

describe("compilation bounds", () => {
  test("default to a minute, and are parsed as milliseconds and bytes", async () => {
    expect((await startedWith(DEVNET)).compilerTimeoutMs).toBe(60_000);
    const given = ["--compiler-timeout", "5s", "--compiler-memory", "512"];
    expect(await startedWith([...DEVNET, ...given])).toMatchObject({
      compilerTimeoutMs: 5_000,
      compilerMemoryBytes: 512 * 2 ** 20,
    });
    expect((await startedWith([...DEVNET, "--compiler-timeout", "1h"])).compilerTimeoutMs).toBe(
      3_600_000,
    );
  });

  test("default to the lowest priority", async () => {
    expect((await startedWith(DEVNET)).compilerNiceness).toBe(19);
    expect((await startedWith([...DEVNET, "--compiler-nice", "0"])).compilerNiceness).toBe(0);
    const { code, err } = await run([...DEVNET, "--compiler-nice=20"]);
    expect(code).toBe(2);
    expect(err).toContain("--compiler-nice: expected integer from 0 to 19");
  });

  test.each(["0s", "5", "-1s", "3601s", "soon"])(
    "every command that compiles refuses --compiler-timeout %s",
    async (text) => {
      for (const command of [
        DEVNET,
        ["replay", "--block", "1"],
        ["snapshot", "import", "/nowhere", "--block-hash", "0x1"],
      ]) {
        const { code, err } = await run([...command, `--compiler-timeout=${text}`]);
        expect([command, code]).toEqual([command, 2]);
        expect(err).toContain("--compiler-timeout");
      }
    },
  );
});
