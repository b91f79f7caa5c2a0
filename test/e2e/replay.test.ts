import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Account, CallData, ec, hash, stark } from "starknet";
import { Account as OldAccount, json, type LegacyCompiledContract, RpcProvider } from "starknet-v6";
import { rawCall } from "#test/helpers/binary.ts";
import { declare, SMALL_CLASS } from "#test/helpers/declares.ts";
import { MessageChain, ON_DEMAND } from "#test/helpers/message-chain.ts";
import { lyingProxy, runReplay } from "#test/helpers/replay-run.ts";
import { fixturePath, SHARED, sharedTest } from "#test/helpers/shared.ts";
import { bySize, isFullSize } from "#test/helpers/test-size.ts";
import { NO_ESTIMATE, ONE_TOKEN, transferCall } from "#test/helpers/tokens.ts";
import { useChain, useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

/** Number of initial transfers; every fourth one reverts. */
const TRANSFERS = bySize({ quick: 4, full: 10 });

const chain = useChain();

beforeAll(async () => {
  await fillBlocks();
}, 120_000);

async function accepted({ transaction_hash }: { readonly transaction_hash: string }) {
  await chain.provider.waitForTransaction(transaction_hash, { retryInterval: 50 });
  return transaction_hash;
}

/** Sends transfers, some of which revert, an account deployment, minted tokens and a class. */
async function fillBlocks(): Promise<void> {
  const account = chain.account(0);
  for (let i = 1; i <= TRANSFERS; i++) {
    const amount = i % 4 === 0 ? 10n ** 40n : BigInt(i);
    await accepted(await account.execute(transferCall(`0x${i}0000`, amount), NO_ESTIMATE));
  }
  const signer = stark.randomAddress();
  const publicKey = ec.starkCurve.getStarkKey(signer);
  const classHash = await chain.provider.getClassHashAt(account.address);
  const constructorCalldata = CallData.compile({ publicKey });
  const address = hash.calculateContractAddressFromHash(
    publicKey,
    classHash,
    constructorCalldata,
    0,
  );
  await accepted(await account.execute(transferCall(address, 100n * ONE_TOKEN), NO_ESTIMATE));
  const fresh = new Account({ provider: chain.provider, address, signer });
  const deployment = { classHash, constructorCalldata, addressSalt: publicKey };
  await accepted(await fresh.deployAccount(deployment, NO_ESTIMATE));
  await rawCall(chain.url, "devnet_mint", { address: "0x777", amount: 1000 });
  await rawCall(chain.url, "devnet_createBlock");
  if (SHARED === undefined) return;
  const declared = await declare(account, SMALL_CLASS);
  await accepted(declared);
  const { class_hash } = declared;
  await accepted(await account.deploy({ classHash: class_hash }, NO_ESTIMATE));
}

/** A method, a pattern in its response and the replacement, and what the replay reports. */
type ReplayLie = readonly [method: string, from: RegExp, to: string, said: RegExp];

/** Forged responses of quick runs; unit tests of replays forge each kind of response. */
const LIES: readonly ReplayLie[] = [
  ["getBlockWithReceipts", /"revert_reason":"/, '"revert_reason":"x', /receipt\.revert_reason/],
  ["getStorageProof", /"left":"0x\w+"/, '"left":"0x1"', /hash of a proof node/],
];
const MORE_LIES: readonly ReplayLie[] = [
  ["getStateUpdate", /"nonce":"0x/, '"nonce":"0x1', /state_diff\.nonces/],
  ["getClass", /"abi":"/, '"abi":" ', /hash of the class/],
  ["traceBlockTransactions", /"calldata":\["0x\w+"/, '"calldata":["0x7"', /trace\..*calldata/],
  ["getBlockWithReceipts", /"l2_gas":\d+/, '"l2_gas":1', /resources\.l2_gas/],
  ["getBlockWithReceipts", /"timestamp":\d+/, '"timestamp":1', /block_hash of block/],
  ["traceBlockTransactions", /"is_declared":true/, '"is_declared":false', /declared_contracts/],
  ["getStorageProof", /"block_hash":"0x\w+"/, '"block_hash":"0x1"', /roots\.block_hash/],
];

/** Number of the block with the first reverted transaction. */
async function revertedBlock(): Promise<number> {
  const latest = await chain.provider.getBlockNumber();
  for (let number = 1; number <= latest; number++) {
    const { result } = await rawCall(chain.url, "starknet_getBlockWithReceipts", [
      { block_number: number },
    ]);
    if (JSON.stringify(result).includes("REVERTED")) return number;
  }
  throw new RangeError("nothing was reverted");
}

describe("a replay of a development chain", () => {
  test("agrees with every block", async () => {
    const latest = await chain.provider.getBlockNumber();
    const { code, lines, err } = await runReplay(chain.url, "--from", "0", "--to", String(latest));
    expect([code, err]).toEqual([0, ""]);
    expect(lines.at(-1)).toBe(`${latest + 1} blocks agree`);
    const { block_hash } = (await chain.provider.getBlockWithTxHashes(latest)) as {
      readonly block_hash: string;
    };
    expect(lines.at(-2)).toContain(`hash ${block_hash}, state root`);
  }, 60_000);

  test("reports a forged receipt, state, proof, class or trace", async () => {
    const number = await revertedBlock();
    for (const [method, from, to, reason] of bySize({
      quick: LIES,
      full: [...LIES, ...MORE_LIES],
    })) {
      await using proxy = lyingProxy(chain.url, (requested, answer) =>
        requested === `starknet_${method}` ? answer.replace(from, to) : answer,
      );
      const { code, lines, err } = await runReplay(proxy.url, "--block", String(number));
      expect([method, code]).toEqual([method, 1]);
      expect(lines.join("\n") + err).toMatch(reason);
    }
  }, 60_000);

  test("reports a change that no transaction made", async () => {
    const account = chain.account(1);
    const { error } = await rawCall(chain.url, "dev_setStorageAt", [account.address, "0x5", "0x6"]);
    expect(error).toBeUndefined();
    await rawCall(chain.url, "devnet_createBlock");
    const latest = await chain.provider.getBlockNumber();
    const numbers = Array.from({ length: 3 }, (_, back) => latest - back);
    const runs = await Promise.all(numbers.map((n) => runReplay(chain.url, "--block", String(n))));
    const differing = runs.filter(({ code }) => code === 1);
    expect(differing.map(({ lines }) => lines.slice(0, 3))).toEqual([
      [
        expect.stringMatching(/^block \d+ differs: state_diff\.storage_diffs of 0x\w+: 0x5$/),
        "  ours:   unchanged",
        "  theirs: 0x6",
      ],
    ]);
  }, 60_000);
});

test("a replay agrees with blocks of a chain without fees only with --no-charge-fee", async () => {
  const free = await start({ args: ["--no-charge-fee"] });
  const sent = await free.account(0).execute(transferCall("0x5", 1n), NO_ESTIMATE);
  await free.provider.waitForTransaction(sent.transaction_hash, { retryInterval: 50 });
  const number = String(await free.provider.getBlockNumber());
  const withoutFees = await runReplay(free.url, "--block", number, "--no-charge-fee");
  const withFees = await runReplay(free.url, "--block", number);
  expect([withoutFees.code, withoutFees.err]).toEqual([0, ""]);
  expect([withFees.code, withFees.lines[0]]).toEqual([
    1,
    `block ${number} differs: receipt.actual_fee.amount`,
  ]);
}, 60_000);

sharedTest("a replay agrees with blocks of messages from and to L1", async () => {
  const messages = await MessageChain.deploy(await start(ON_DEMAND));
  await messages.send({ handler: "test_receive", payload: ["0x1"], nonce: "0x1" });
  await messages.send({ handler: "no_such_handler", payload: [], nonce: "0x2" });
  await messages.sendToL1("0x123", ["0x1", "0x2"]);
  await messages.devnet.createBlock();
  const { url, provider } = messages.chain;
  const latest = await provider.getBlockNumber();
  const { code, lines, err } = await runReplay(url, "--from", "0", "--to", String(latest));
  expect([code, err, lines.at(-1)]).toEqual([0, "", `${latest + 1} blocks agree`]);
});

/** Hash of the Cairo 0 class by starknet.js; computed only at full size, as it takes seconds. */
const OLD_HASH = "0x7869bf247d6d431d8c3ebf2b4e8f0d5eb9aba807722747c0f50055c3e6c653a";

sharedTest(
  "a replay agrees with a Cairo 0 class, a maximum fee, and a contract of the class",
  async () => {
    const args = ["--chain-config-override", "latest_protocol_version=0.13.6"];
    const old = await start({ args });
    const provider = new RpcProvider({ nodeUrl: `${old.url}/rpc/v0_7` });
    const { address = "", private_key: key = "" } = old.accounts[0] ?? {};
    const account = new OldAccount(provider, address, key, "1");
    const file =
      "classes/blockifier/feature_contracts/cairo0/compiled/test_contract2_compiled.json";
    const contract = json.parse(readFileSync(fixturePath(file), "utf8")) as LegacyCompiledContract;
    const hashed = isFullSize ? { contract } : { contract, classHash: OLD_HASH };
    const { transaction_hash, class_hash } = await account.declare(hashed);
    await provider.waitForTransaction(transaction_hash, { retryInterval: 50 });
    const deployed = await account.deploy({ classHash: class_hash, constructorCalldata: [] });
    await provider.waitForTransaction(deployed.transaction_hash, { retryInterval: 50 });
    const latest = await provider.getBlockNumber();
    const { code, lines, err } = await runReplay(old.url, "--from", "0", "--to", String(latest));
    expect([code, err, lines.at(-1)]).toEqual([0, "", `${latest + 1} blocks agree`]);
  },
);
