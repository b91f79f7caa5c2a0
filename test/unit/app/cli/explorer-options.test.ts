import { describe, expect, test } from "bun:test";
import { run, startedWith } from "./run.ts";

const DEVNET = ["sequencer", "--preset", "devnet"];
const FULL = ["node", "--preset", "mainnet"];

describe("--explorer", () => {
  test("is on by default for a development chain only", async () => {
    expect((await startedWith(DEVNET)).explorer).toBe(true);
    expect((await startedWith(FULL)).explorer).toBe(false);
  });

  test("is taken as it is given", async () => {
    expect((await startedWith([...DEVNET, "--explorer", "off"])).explorer).toBe(false);
    expect((await startedWith([...FULL, "--explorer", "on"])).explorer).toBe(true);
  });

  test("refuses other words", async () => {
    const { code, err } = await run([...DEVNET, "--explorer=maybe"]);
    expect(code).toBe(2);
    expect(err).toContain("--explorer");
  });
});
