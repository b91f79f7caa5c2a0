import { expect, test } from "bun:test";
import { rawCall } from "#test/helpers/binary.ts";
import {
  referenceBlockHash,
  ReferenceState,
  type RpcBlock,
  type RpcStateDiff,
} from "#test/helpers/reference/block.ts";
import { NO_ESTIMATE, transferCall } from "#test/helpers/tokens.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

const OLD = "0.14.0";
const NEW = "0.14.4";

const chain = useStoppedChain();

function start(version: string): Promise<void> {
  const override = `latest_protocol_version=${version}`;
  return chain.start({ args: ["--dev-accounts", "1", "--chain-config-override", override] });
}

async function send(amount: bigint): Promise<void> {
  const call = transferCall("0x1234", amount);
  const { transaction_hash } = await chain.account(0).execute(call, NO_ESTIMATE);
  await chain.provider.waitForTransaction(transaction_hash, { retryInterval: 20 });
}

/** Declared and migrated classes per block; recomputes roots and hashes on the way. */
async function classesByBlock() {
  const { url } = chain;
  const newest = Number((await rawCall(url, "starknet_blockNumber")).result);
  const state = new ReferenceState();
  const found: { version: string; declared: number; migrated: string[] }[] = [];
  for (let number = 0; number <= newest; number++) {
    const id = [{ block_number: number }];
    const block = (await rawCall(url, "starknet_getBlockWithReceipts", id)).result as RpcBlock;
    const { state_diff } = (await rawCall(url, "starknet_getStateUpdate", id)).result as {
      state_diff: RpcStateDiff;
    };
    state.apply(state_diff);
    expect([number, state.root()]).toEqual([number, BigInt(block.new_root)]);
    const hash = referenceBlockHash(block, state_diff);
    expect([number, hash]).toEqual([number, BigInt(block.block_hash)]);
    found.push({
      version: block.starknet_version,
      declared: state_diff.declared_classes.length,
      migrated: state_diff.migrated_compiled_classes.map(({ class_hash }) => class_hash),
    });
  }
  return found;
}

test("a chain continues under a newer protocol, migrates the classes in use, and rejects the older one", async () => {
  await start(OLD);
  await send(1n);
  expect(await chain.stop()).toBe(0);

  await start(NEW);
  await send(2n);
  await send(3n);
  const classAt = async (address: string): Promise<string> => {
    const params = ["latest", address];
    return String((await rawCall(chain.url, "starknet_getClassHashAt", params)).result);
  };
  const used = [
    await classAt(chain.accounts[0]?.address ?? ""),
    await classAt(transferCall("0x0", 0n).contractAddress),
  ];
  const classes = await classesByBlock();
  expect(classes.map(({ version }) => version)).toEqual([OLD, OLD, NEW, NEW]);
  expect(classes.map(({ declared }) => declared)).toEqual([3, 0, 0, 0]);
  const migrated = classes.map((block) => new Set(block.migrated));
  expect(migrated).toEqual([new Set(), new Set(), new Set(used), new Set()]);
  expect(await chain.stop()).toBe(0);

  const refusal = await start(OLD).catch(String);
  expect(refusal).toContain("exit code 2");
  expect(refusal).toContain(
    `latest_protocol_version: the newest block, 3, has ${NEW}, the configuration ${OLD}: a chain's version never decreases`,
  );
}, 60_000);
