import { describe, expect, test } from "bun:test";
import { run, startedWith } from "./run.ts";

const DEVNET = ["sequencer", "--preset", "devnet"];

describe("--chain-id", () => {
  test("names the chain and its data directory, with words for the two networks", async () => {
    const rows = [
      ["MAINNET", "SN_MAIN"],
      ["testnet", "SN_SEPOLIA"],
      ["my_chain", "my_chain"],
      ["123", "123"],
      ["0x534e5f4d41494e", "SN_MAIN"],
      ["0x4B4154414E41", "KATANA"],
    ] as const;
    for (const [given, chainId] of rows) {
      const { chain, basePath } = await startedWith([...DEVNET, "--chain-id", given]);
      expect(chain.chainId).toBe(chainId);
      expect(basePath).toEndWith(`appchain-data/${chainId}`);
    }
  });

  test("is refused if invalid, given twice, or with another preset", async () => {
    const rows = [
      [[...DEVNET, "--chain-id", "x".repeat(32)], "--chain-id"],
      [[...DEVNET, "--chain-id", "0x1"], "--chain-id: expected a chain id"],
      [[...DEVNET, "--chain-id", `0x${"41".repeat(32)}`], "--chain-id: expected a chain id"],
      [[...DEVNET, "--chain-id", "A", "--chain-config-override", "chain_id=B"], "chain_id"],
      [["sequencer", "--preset", "sepolia", "--chain-id", "A"], "only with --preset devnet"],
    ] as const;
    for (const [argv, text] of rows) {
      const { code, err, started } = await run(argv);
      expect([code, started.length]).toEqual([2, 0]);
      expect(err).toContain(text);
    }
  });
});

describe("--seed", () => {
  test("selects the accounts of starknet-devnet for the number", async () => {
    const { devAccounts } = await startedWith([...DEVNET, "--seed", "4294967295"]);
    expect(devAccounts?.seed).toEqual({ accounts: "starknet-devnet", number: 4294967295n });
    expect(devAccounts?.setBy.seed).toBe("--seed");
  });

  test("is refused beyond 32 bits, with --dev-seed, and without accounts", async () => {
    for (const [argv, text] of [
      [[...DEVNET, "--seed", "4294967296"], "--seed"],
      [[...DEVNET, "--seed", "1", "--dev-seed", "1"], "cannot be combined with"],
      [[...DEVNET, "--seed", "1", "--dev-accounts", "0"], "--seed: has no effect"],
    ] as const) {
      const { code, err } = await run(argv);
      expect([code, err]).toEqual([2, expect.stringContaining(text)]);
    }
  });
});

describe("--start-time", () => {
  test("sets the time of the first block of a development chain", async () => {
    expect((await startedWith(DEVNET)).devnet?.startTime).toBeNull();
    const { devnet } = await startedWith([...DEVNET, "--start-time", "1700000000"]);
    expect(devnet?.startTime).toBe(1_700_000_000);
  });

  test("is refused if out of range, or with another preset", async () => {
    for (const argv of [
      [...DEVNET, "--start-time", "-1"],
      [...DEVNET, "--start-time", "253402300800"],
      ["sequencer", "--preset", "sepolia", "--start-time", "5"],
    ]) {
      const { code, err } = await run(argv);
      expect(code).toBe(2);
      expect(err).toContain("--start-time");
    }
  });
});

test("--lite-mode is accepted with a note that it has no effect", async () => {
  const { notices } = await startedWith([...DEVNET, "--lite-mode"]);
  expect(notices.map(({ message }) => message).join()).toContain("--lite-mode has no effect");
  expect((await startedWith(DEVNET)).notices).toEqual([]);
});
