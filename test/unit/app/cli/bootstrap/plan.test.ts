import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { run } from "../run.ts";

const folder = temporaryFolder();
let anvil: RunningAnvil;
beforeAll(async () => {
  anvil = await startAnvil();
}, 30_000);
afterAll(async () => {
  await anvil.stop();
  folder[Symbol.dispose]();
});

function bootstrap(words: string, addresses = "addresses.json") {
  const argv = ["bootstrap", "--dev", "--addresses", folder.file(addresses), ...words.split(" ")];
  return run(argv, { APP_CHAIN_ID: "X", ETH_RPC: anvil.url });
}

test("--plan records a plan that a later run checks", async () => {
  const { code, out } = await bootstrap("--plan");
  expect([code, out.split("\n").at(-1)]).toEqual([
    0,
    expect.stringMatching(/^--chain-config-override chain_id=X,eth_core_contract_address=0x/),
  ]);
  const { client } = anvil;
  const [to] = await client.getAddresses();
  const hash = await client.sendTransaction({ to: to ?? null, value: 1n });
  await client.waitForTransactionReceipt({ hash });
  const later = await bootstrap("--only l1");
  expect([later.code, later.err]).toEqual([1, expect.stringContaining("was used for something")]);
});

test("--plan --genesis writes the sequencer's file, and refuses to replace an edited one", async () => {
  const genesis = folder.file("genesis.yaml");
  const plan = `--plan --genesis ${genesis}`;
  const first = await bootstrap(plan, "genesis.json");
  expect([first.code, first.out.split("\n").at(-1)]).toEqual([0, `--chain-config-path ${genesis}`]);
  expect(statSync(genesis).mode & 0o777).toBe(0o644);
  expect((await bootstrap(plan, "genesis.json")).code).toBe(0);
  const edited = `${readFileSync(genesis, "utf8")}# edited\n`;
  writeFileSync(genesis, edited);
  const second = await bootstrap(plan, "genesis.json");
  expect([second.code, second.err]).toEqual([
    2,
    expect.stringContaining("is not the file of this plan"),
  ]);
  expect(readFileSync(genesis, "utf8")).toBe(edited);
});

test("a plan has a genesis section from the first run or never", async () => {
  const without = await bootstrap(`--plan --genesis ${folder.file("other.yaml")}`);
  expect([without.code, without.err]).toEqual([
    2,
    expect.stringContaining("it has no genesis section"),
  ]);
  expect(existsSync(folder.file("other.yaml"))).toBe(false);
  const missing = await bootstrap("--plan", "genesis.json");
  expect([missing.code, missing.err]).toEqual([
    2,
    expect.stringContaining("--genesis: is missing"),
  ]);
});

test("refuses options that contradict each other or have no effect", async () => {
  expect((await bootstrap("--adopt --again")).err).toContain("cannot be combined with --again");
  expect((await bootstrap("--genesis g.yaml")).err).toContain(
    "--genesis: has an effect only with --plan",
  );
});
