import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Account } from "starknet";
import { rawCall, type RunningChain, startChain } from "#test/helpers/binary.ts";
import { useFollower, waitForBlock } from "#test/helpers/follower.ts";
import {
  accountOf,
  declareByNobody,
  FREE_BOUNDS,
  writeFreeConfig,
} from "#test/helpers/free-chain.ts";
import { withGateway } from "#test/helpers/gateway-sends.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const FREE = { resourceBounds: FREE_BOUNDS, tip: 0n };
const OWNER = accountOf("0x1234");
/** Any contract at the address of the native fee token ends free transactions. */
const TOKEN = accountOf("0x5678");

describe.each(["0.13.2", "0.14.4"])("a new chain of version %s", (version) => {
  const folder = temporaryFolder();
  const config = join(folder.path, "chain.yaml");
  const follower = useFollower();
  let chain: RunningChain;
  let gateway: Awaited<ReturnType<typeof withGateway>>;

  const at = (entry: typeof OWNER, url = chain) =>
    new Account({ provider: url.provider, address: entry.address, signer: entry.privateKey });
  const deploy = (entry: typeof OWNER) =>
    at(entry).deployAccount(
      {
        classHash: entry.classHash,
        constructorCalldata: [entry.publicKey],
        addressSalt: 0,
        contractAddress: entry.address,
      },
      FREE,
    );
  const call = {
    contractAddress: OWNER.address,
    entrypoint: "supports_interface",
    calldata: ["0x1"],
  };
  const refusal = (details: Parameters<Account["execute"]>[1]) =>
    at(OWNER)
      .execute(call, details)
      .then(() => "taken", String);
  const accepted = (hash: string) => chain.provider.waitForTransaction(hash, { retryInterval: 50 });

  beforeAll(async () => {
    gateway = await withGateway();
    writeFreeConfig(config, version, TOKEN.address);
    chain = await startChain({ basePath: folder.path, chainConfig: config, args: gateway.args });
  }, 60_000);
  afterAll(async () => {
    await chain.stop();
    folder[Symbol.dispose]();
  });

  test("accepts free transactions until its native fee token has a contract", async () => {
    expect(chain.output()).toContain(
      "transactions are free until the native fee token has a contract",
    );
    const declared = await declareByNobody(chain.url, "account", version);
    expect(declared.error).toBeUndefined();
    await accepted((declared.result as { transaction_hash: string }).transaction_hash);
    await accepted((await deploy(OWNER)).transaction_hash);
    const hashes: string[] = [];
    for (let nonce = 1; nonce <= 3; nonce++) {
      hashes.push((await at(OWNER).execute(call, { ...FREE, nonce })).transaction_hash);
    }
    for (const hash of hashes) await accepted(hash);
    expect(await refusal({ resourceBounds: NOTHING, tip: 0n, nonce: 4 })).toContain(
      "bounds are zero",
    );
    expect(await refusal({ resourceBounds: ONE_PRICE, tip: 0n, nonce: 4 })).toContain("Error");
    const simulated = await at(OWNER).simulateTransaction([{ type: "INVOKE", payload: call }], {
      ...FREE,
      nonce: 4,
    });
    expect(simulated.simulated_transactions).toHaveLength(1);
    const text = JSON.stringify(simulated.simulated_transactions, noBigints);
    expect(text).toContain('"storage_diffs":[]');
    expect(text).not.toContain("revert_reason");
  }, 30_000);

  test("accepts them through a full node that re-executes its blocks", async () => {
    await follower.start({
      gateways: [gateway.url],
      chainConfig: config,
      args: ["--verify", "execution"],
    });
    await waitForBlock(follower, await chain.provider.getBlockNumber());
    const through = new Account({
      provider: follower.provider,
      address: OWNER.address,
      signer: OWNER.privateKey,
    });
    await accepted((await through.execute(call, { ...FREE, nonce: 4 })).transaction_hash);
  }, 60_000);

  test("rejects them once the token has a contract, and drops pending ones", async () => {
    const waits = await at(OWNER).execute(call, { ...FREE, nonce: 6 });
    await accepted((await deploy(TOKEN)).transaction_hash);
    expect(await refusal({ ...FREE, nonce: 5 })).toContain("free only until");
    const again = await declareByNobody(chain.url, "erc20", version);
    expect(again.error?.data ?? again.error?.message).toContain("resource bounds");
    const status = await rawCall(chain.url, "starknet_getTransactionStatus", [
      waits.transaction_hash,
    ]);
    expect(JSON.stringify(status)).toContain("free only until");
    expect(chain.output()).toContain("transactions are no longer free");
    await waitForBlock(follower, await chain.provider.getBlockNumber());
    expect(follower.output()).not.toContain("refused");
  }, 60_000);

  test("rejects them after a restart, too", async () => {
    await chain.stop();
    chain = await startChain({ basePath: folder.path, chainConfig: config, args: gateway.args });
    expect(chain.output()).not.toContain("free");
    expect(await refusal({ ...FREE, nonce: 5 })).toContain("free only until");
  }, 60_000);
});

const noBigints = (_key: string, value: unknown) =>
  typeof value === "bigint" ? value.toString() : value;
const ZERO = { max_amount: 0n, max_price_per_unit: 0n };
const NOTHING = { l1_gas: ZERO, l1_data_gas: ZERO, l2_gas: ZERO };
const ONE_PRICE = { ...FREE_BOUNDS, l2_gas: { max_amount: 10n ** 9n, max_price_per_unit: 1n } };
