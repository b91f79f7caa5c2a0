import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import { runCommand } from "#test/helpers/run-binary.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

const folder = useFolder();
let anvil: RunningAnvil;

beforeAll(async () => {
  anvil = await startAnvil();
}, 30_000);

afterAll(async () => {
  await anvil.stop();
});

describe("a start", () => {
  const start = (basePath: string, ...args: readonly string[]) =>
    runCommand([
      ..."sequencer --preset devnet --rpc-port 0 --metrics-port off --base-path".split(" "),
      basePath,
      ...args,
    ]);

  test("without L1 and without known prices exits with 1 and names the options", async () => {
    const path = folder.file("silent");
    const { exitCode, output } = await start(path, "--l1-endpoint", "http://127.0.0.1:9");
    expect([exitCode, output]).toEqual([1, expect.stringContaining("--l1-gas-price")]);
    expect(output).toContain("--blob-gas-price and --strk-per-eth");
    expect(await Bun.file(`${path}/chain.db`).exists()).toBe(false);
  });

  test("without a core contract exits with 1", async () => {
    for (const address of ["0x0", "0x00000000000000000000000000000000000000aa"]) {
      const override = `eth_core_contract_address=${address}`;
      const { exitCode, output } = await start(
        folder.file("none"),
        ...["--l1-endpoint", anvil.url, "--chain-config-override", override],
      );
      expect([exitCode, output]).toEqual([
        1,
        expect.stringContaining("The L1 Core Contract could not be found."),
      ]);
    }
  });

  test("with a public network's core contract requires that network's L1", async () => {
    const { exitCode, output } = await runCommand([
      ..."sequencer --preset sepolia --chain-config-override sequencer_address=0x5".split(" "),
      ..."--rpc-port 0 --metrics-port off --base-path".split(" "),
      folder.file("public"),
      "--l1-endpoint",
      anvil.url,
    ]);
    expect([exitCode, output]).toEqual([1, expect.stringContaining("11155111")]);
  });
});
