import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { ANVIL_OTHER_KEYS } from "#test/helpers/anvil.ts";
import { BootstrapWorld } from "#test/helpers/bootstrap-world.ts";
import { BridgedChain } from "#test/helpers/bridged-chain.ts";
import { untilSo } from "#test/helpers/follower-state.ts";
import { withGateway } from "#test/helpers/gateway-sends.ts";
import { runCommand } from "#test/helpers/run-binary.ts";

/** Protocol 0.14.4; set to `appchain` by hand for 0.13.2. */
const PRESET = process.env["BOOTSTRAP_PRESET"] ?? "mainnet";

/** Transactions sent before each kill; `scripts/attack bootstrap-kills` kills after each one. */
const SENDS_BEFORE_KILL = 4;

/** Sixth of anvil's funded accounts, used by nothing else. */
const ON_L1 = "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc";
/** First of anvil's funded accounts. */
const DEPLOYER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const [OTHER_KEY] = ANVIL_OTHER_KEYS;
const ON_L2 = 0x1234n;
const ETHER = 10n ** 18n;

const gateway = await withGateway();
const l1Args = (l1Url: string): readonly string[] => [
  ...["--l1-endpoint", l1Url],
  ...["--l1-finality", "0"],
  ...["--strk-per-eth", "2500"],
];

let world: BootstrapWorld;
beforeAll(async () => {
  world = await BootstrapWorld.start({
    preset: PRESET,
    chainId: "BOOTSTRAPPED",
    sequencerArgs: (l1Url) => [...l1Args(l1Url), ...gateway.args, ...["--block-time", "500ms"]],
    anvilArgs: [],
    args: ["--dev"],
    environment: {},
  });
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

test("a dry run lists the steps and sends and writes nothing", async () => {
  const { exitCode, out } = await world.run(["--dry-run", "--only", "l1"]);
  expect([exitCode, out.match(/ to do /g)?.length]).toEqual([0, 14]);
  expect(await world.l1.client.getTransactionCount({ address: DEPLOYER })).toBe(0);
  expect((await world.run(["--resume", "--only", "l1"])).err).toContain("--resume: there is no /");
});

test("the L1 steps run without a sequencer; the others fail until one responds", async () => {
  const { exitCode, out } = await world.run(["--only", "l1"]);
  expect([exitCode, out]).toEqual([0, expect.stringContaining("14/14 done in ")]);
  const { exitCode: second, err } = await world.run([], { ROLLUP_SEQ_URL: "http://127.0.0.1:1" });
  expect(second).toBe(1);
  expect(err).toContain("error: the node of ROLLUP_SEQ_URL does not answer: is it running there?");
}, 60_000);

describe("before sending anything, it rejects", () => {
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, string, string?])[] = [
    [
      "another L1",
      { ETH_CHAIN_ID: "5", ETH_PRIV_KEY: OTHER_KEY, ROLLUP_PRIV_KEY: "0x5" },
      "ETH_CHAIN_ID: is not",
    ],
    ["another token", { FEE_TOKEN_ADDRESS: "0x1" }, "FEE_TOKEN_ADDRESS: is not the address that"],
    ["a file of another chain", { APP_CHAIN_ID: "OTHER" }, "is of another bootstrap: app_chain_id"],
    [
      "a file of another deployer",
      { ETH_PRIV_KEY: OTHER_KEY },
      "another bootstrap: l1_deployer_address",
    ],
    ["an unknown step", {}, "--only: there is no such step; known are: l1, l2,", "l3"],
  ];
  for (const [what, environment, finding, only = "l1"] of cases) {
    test(
      what,
      async () => {
        const { exitCode, err } = await world.run(["--only", only], environment);
        expect([exitCode, err]).toEqual([2, expect.stringContaining(finding)]);
      },
      60_000,
    );
  }
});

describe("with the planned sequencer", () => {
  beforeAll(() => world.startSequencer(), 60_000);

  test("swapped nodes, another plan and steps out of order are rejected before anything is sent", async () => {
    const sequencer = { ETH_RPC: world.sequencer.url };
    const sent = await world.l1.client.getTransactionCount({ address: DEPLOYER });
    const refusals = [
      await world.run([], { ...sequencer, ROLLUP_SEQ_URL: world.l1.url }),
      await world.run([], { ROLLUP_SEQ_URL: world.l1.url }),
      // The deployer's nonce has changed since the plan, and with it all addresses.
      await world.run(["--addresses", world.file("other.json"), "--again"]),
      await world.run(["--addresses", world.file("other.json")]),
      await world.run(["--only", "native-token"]),
    ].map(({ exitCode, err }) => [exitCode, err]);
    expect(refusals).toEqual([
      [2, expect.stringContaining("ETH_RPC: is not the address of an L1 node")],
      [2, expect.stringContaining("ROLLUP_SEQ_URL: is not the address of a seq")],
      [2, expect.stringContaining("was started with eth_core_contract_address")],
      [2, expect.stringContaining("continue with them by --adopt, or deploy others by --again")],
      [1, expect.stringContaining("l2-account-class comes before native-token-enrollment")],
    ]);
    expect(await world.l1.client.getTransactionCount({ address: DEPLOYER })).toBe(sent);
  }, 120_000);

  test("a bootstrap killed after sends that are not recorded yet resumes without repeating steps", async () => {
    const planned = await world.planned();
    for (let kills = 0; ; kills++) {
      const { exitCode, out, err } = await world.runKilledAtSend(SENDS_BEFORE_KILL);
      if (exitCode === null) continue;
      expect([exitCode, err]).toEqual([0, expect.not.stringContaining("error")]);
      expect(kills).toBeGreaterThan(2);
      expect(out).toContain("exists l1-core:");
      expect(out).toContain(`new Deployer("${planned["udc_address"]}")`);
      break;
    }
    expect(world.addresses()).toEqual(planned);
    // Each step on L1 is one transaction; the first on L2 has no sender.
    expect(await world.nonces()).toEqual([15, 12]);
    expect(await world.planned()).toEqual(planned);
  }, 120_000);

  test("tokens are deposited, transferred and withdrawn, and the state is accepted on L1", async () => {
    const chain = new BridgedChain(world);
    const { account } = chain;
    await chain.deposit("native", 1000n * ETHER, account.address);
    await chain.deposit("eth", 5n * ETHER, account.address);
    await chain.untilBalance("native", account.address, 1000n * ETHER);
    await chain.untilBalance("eth", account.address, 5n * ETHER);

    await chain.transfer("native", ON_L2, ETHER);
    await chain.transfer("eth", ON_L2, 2n * ETHER);
    expect(await chain.balance("native", ON_L2)).toBe(ETHER);
    expect(await chain.balance("eth", ON_L2)).toBe(2n * ETHER);

    await chain.withdrawOnL2("eth", 3n * ETHER, ON_L1);
    expect(await chain.balance("eth", account.address)).toBe(0n);
    await chain.withdrawOnL2("native", 7n * ETHER, ON_L1);
    // Includes the fees of four transactions.
    expect(await chain.balance("native", account.address)).toBeLessThan(992n * ETHER);
    // L1 has no message to consume before settlement.
    const early = await chain.withdrawOnL1("eth", 3n * ETHER, ON_L1).catch(String);
    expect(early).toContain("INVALID_MESSAGE_TO_CONSUME");

    const { provider } = world.sequencer;
    const withdrawn = await provider.getBlockNumber();
    await untilSo("the block is accepted", world.sequencer, async () => {
      return (await provider.getBlockNumber()) > withdrawn;
    });
    const keyFile = world.file("key");
    writeFileSync(keyFile, chain.operatorKey, { mode: 0o600 });
    const settled = await runCommand(chain.settleArgs(keyFile));
    expect([settled.exitCode, settled.output]).toEqual([0, settled.output]);
    const before = await world.l1.client.getBalance({ address: ON_L1 });
    await chain.withdrawOnL1("eth", 3n * ETHER, ON_L1);
    await chain.withdrawOnL1("native", 7n * ETHER, ON_L1);
    expect(await world.l1.client.getBalance({ address: ON_L1 })).toBe(before + 3n * ETHER);

    const follower = await world.startFollower(gateway.url, [
      ...l1Args(world.l1.url).slice(0, 4),
      // Overrides the preset's key, which is that of the public network.
      ...["--chain-config-override", "sequencer_public_key=null"],
    ]);
    for (const node of [world.sequencer, follower]) {
      await untilSo(`${node.url} says that the withdrawal is accepted on L1`, node, async () => {
        const block = await node.provider.getBlockWithTxHashes(withdrawn).catch(() => undefined);
        return block?.status === "ACCEPTED_ON_L1";
      });
    }
  }, 180_000);

  test("a deposit and a withdrawal that are killed around each transaction pay once", async () => {
    const chain = new BridgedChain(world);
    const recipient = 0x5001n;
    const nonce = (): Promise<number> => world.l1.client.getTransactionCount({ address: DEPLOYER });
    const first = await nonce();
    const deposited = await world.commandKilledAtSends([
      ...["bridge", "deposit", "3.5", "--token", "fee", "--mint"],
      ...["--to", `0x${recipient.toString(16)}`, "--transfer", "killed-deposit.json"],
    ]);
    expect([deposited.exitCode, deposited.kills, deposited.err]).toEqual([
      0,
      6,
      expect.not.stringContaining("error"),
    ]);
    expect(await chain.balance("native", recipient)).toBe((35n * ETHER) / 10n);
    // Minted, approved and deposited.
    expect(await nonce()).toBe(first + 3);

    const before = await chain.balance("native", chain.account.address);
    const withdraw = [
      ...["bridge", "withdraw", "1.25", "--token", "fee", "--to", ON_L1],
      ...["--transfer", "killed-withdrawal.json"],
    ];
    const early = { CROSS_CHAIN_WAIT_TIME: "1" };
    const burned = await world.commandKilledAtSends(withdraw, early);
    expect([burned.exitCode, burned.kills, burned.err]).toEqual([
      3,
      2,
      expect.stringContaining("it is paid out once that block is settled"),
    ]);
    const keyFile = world.file("key");
    const settled = await runCommand(chain.settleArgs(keyFile));
    expect([settled.exitCode, settled.output]).toEqual([0, settled.output]);
    const held = await chain.balanceOnL1(ON_L1);
    const paid = await world.commandKilledAtSends(withdraw);
    expect([paid.exitCode, paid.kills]).toEqual([0, 2]);
    expect(await chain.balanceOnL1(ON_L1)).toBe(held + (125n * ETHER) / 100n);
    const left = await chain.balance("native", chain.account.address);
    expect(before - left).toBeGreaterThanOrEqual((125n * ETHER) / 100n);
    expect(before - left).toBeLessThan((250n * ETHER) / 100n);

    // The same command sends nothing; another amount is another transfer.
    const after = await nonce();
    const again = await world.command(withdraw);
    expect([again.exitCode, again.out]).toEqual([0, expect.stringContaining("nothing was sent")]);
    const other = await world.command(withdraw.map((word) => word.replace("1.25", "1.5")));
    expect([other.exitCode, other.err]).toEqual([
      2,
      expect.stringContaining("is of another transfer: amount is 1250000000000000000 there"),
    ]);
    expect(await nonce()).toBe(after);
  }, 180_000);

  test("the bridge rejects an edited address file and an amount above the balance", async () => {
    const text = readFileSync(world.file("addresses.json"), "utf8");
    const edit = async (name: string, from: RegExp, to: string) => {
      const path = world.file(`bridge-${name}.json`);
      writeFileSync(path, text.replace(from, to));
      const words = ["bridge", "deposit", "1", "--transfer", "edited.json", "--addresses", path];
      const { exitCode, err } = await world.command(words);
      return [exitCode, err];
    };
    const sent = await world.l1.client.getTransactionCount({ address: DEPLOYER });
    const bridge = /("ETH_l1_bridge_address": )"0x[0-9a-f]+"/;
    expect([
      await edit("l1", bridge, `$1"${DEPLOYER.toLowerCase()}"`),
      await edit("l2", /("ETH_l2_bridge_address": )"0x[0-9a-f]+"/, '$1"0x5"'),
      await edit(
        "core",
        /("l1_core_contract_address": )"0x[0-9a-f]+"/,
        `$1"${ON_L1.toLowerCase()}"`,
      ),
      await edit("chain", /"app_chain_id": "\w+"/, '"app_chain_id": "OTHER"'),
      await edit("gone", bridge, '"other": "0x1"'),
      await edit("l1-chain", /("l1_genesis_hash": )"0x../, '$1"0x00'),
    ]).toEqual([
      [2, expect.stringContaining("are no pair on L1")],
      [2, expect.stringContaining("are no pair on L1")],
      [2, expect.stringContaining("the sequencer has another core contract")],
      [2, expect.stringContaining("APP_CHAIN_ID is another one")],
      [2, expect.stringContaining("it has no ETH_l1_bridge_address")],
      [2, expect.stringContaining("ETH_RPC is another chain with the same id")],
    ]);
    const rich = await world.command(["bridge", "deposit", "1000000", "--transfer", "rich.json"]);
    expect([rich.exitCode, rich.err]).toEqual([1, expect.stringContaining("which is too little")]);
    const poor = await world.command(["bridge", "withdraw", "1000", "--transfer", "poor.json"]);
    expect([poor.exitCode, poor.err]).toEqual([1, expect.stringContaining("holds 0 ETH on L2")]);
    expect(await world.l1.client.getTransactionCount({ address: DEPLOYER })).toBe(sent);
  }, 60_000);
});
