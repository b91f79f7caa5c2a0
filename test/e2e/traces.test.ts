import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Account, CallData, type CompiledSierra, ec, hash, json, stark } from "starknet";
import { compileClass } from "#engine/sierra/index.ts";
import { compiledClassHash, sierraClassFromJson } from "#protocol/chain/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { rawCall } from "#test/helpers/binary.ts";
import { findingsOf, VERSIONS } from "#test/helpers/rpc.ts";
import { fixturePath, SHARED, sharedTest } from "#test/helpers/shared.ts";
import { NO_ESTIMATE, ONE_TOKEN, transferCall } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const RECIPIENT = "0x1234567890";

const chain = useChain();
/** Hashes of accepted transactions. */
let sent: readonly string[];

beforeAll(async () => {
  sent = await fillBlocks();
}, 120_000);

/** Sends transfers, one of which reverts, and a deployment; waits until all are accepted. */
async function fillBlocks(): Promise<readonly string[]> {
  const account = chain.account(0);
  const nonce = Number(await account.getNonce());
  const amounts = [1n, 2n, 10n ** 40n, 3n, 4n];
  const transfers = await Promise.all(
    amounts.map((amount, i) =>
      account.execute(transferCall(RECIPIENT, amount), { ...NO_ESTIMATE, nonce: nonce + i }),
    ),
  );
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
  const funded = await chain
    .account(1)
    .execute(transferCall(address, 100n * ONE_TOKEN), NO_ESTIMATE);
  await accepted([...transfers, funded].map(({ transaction_hash }) => transaction_hash));
  const fresh = new Account({ provider: chain.provider, address, signer });
  const deployed = await fresh.deployAccount(
    { classHash, constructorCalldata, addressSalt: publicKey },
    NO_ESTIMATE,
  );
  await accepted([deployed.transaction_hash]);
  return [...transfers, funded, deployed].map(({ transaction_hash }) => transaction_hash);
}

async function accepted(hashes: readonly string[]): Promise<void> {
  for (const each of hashes) {
    await chain.provider.waitForTransaction(each, { retryInterval: 50 });
  }
}

/** URL of a specification version. */
const pathOf = (version: string): string =>
  `${chain.url}/rpc/v${version.split(".").slice(0, 2).join("_")}`;

/** Result in a version; checked against its schema if the schema files are available. */
async function ask(version: string, method: string, params: unknown): Promise<unknown> {
  const answer = await rawCall(pathOf(version), `starknet_${method}`, params);
  expect(answer.error).toBeUndefined();
  if (SHARED !== undefined) {
    expect(findingsOf(version, method, { result: answer.result })).toEqual([]);
  }
  return answer.result;
}

/** JSON text of the client library's result. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === "bigint" ? String(member) : member,
  );

interface BlockTrace {
  readonly transaction_hash: string;
  readonly trace_root: {
    readonly type: string;
    readonly execution_resources: unknown;
    readonly execute_invocation?: { readonly revert_reason?: string };
  };
}

interface Receipt {
  readonly transaction_hash: string;
  readonly execution_resources: unknown;
  readonly revert_reason?: string;
  readonly block_number: number;
}

describe.each(VERSIONS)("traces in %s", (version) => {
  test("every accepted block has traces of its transactions, with the gas of their receipts", async () => {
    const seen = new Set<string>();
    const latest = await chain.provider.getBlockNumber();
    for (let number = 0; number <= latest; number++) {
      const at = { block_id: { block_number: number } };
      const traces = (await ask(version, "traceBlockTransactions", at)) as BlockTrace[];
      for (const { transaction_hash, trace_root } of traces) {
        seen.add(transaction_hash);
        const receipt = (await ask(version, "getTransactionReceipt", {
          transaction_hash,
        })) as Receipt;
        expect(receipt.block_number).toBe(number);
        expect(trace_root.execute_invocation?.revert_reason).toBe(receipt.revert_reason as never);
        if (version !== "0.7.1") {
          expect(trace_root.execution_resources).toEqual(receipt.execution_resources);
        }
        expect(await ask(version, "traceTransaction", { transaction_hash })).toEqual(trace_root);
      }
    }
    expect(sent.filter((each) => !seen.has(each))).toEqual([]);
  }, 60_000);
});

test("a transaction has a trace once it is in a block, also a pre-confirmed one", async () => {
  const { transaction_hash } = await chain
    .account(2)
    .execute(transferCall(RECIPIENT, 7n), NO_ESTIMATE);
  for (;;) {
    const { result, error } = await rawCall(chain.url, "starknet_traceTransaction", {
      transaction_hash,
    });
    if (error === undefined) {
      expect(result).toMatchObject({ type: "INVOKE", execute_invocation: { is_reverted: false } });
      break;
    }
    expect(error).toMatchObject({ code: 10, data: { status: "RECEIVED" } });
  }
});

test("unknown transactions and blocks have none", async () => {
  const transaction = await rawCall(chain.url, "starknet_traceTransaction", ["0xdead"]);
  expect(transaction.error).toMatchObject({ code: 29 });
  const block = await rawCall(chain.url, "starknet_traceBlockTransactions", [
    { block_hash: "0xdead" },
  ]);
  expect(block.error).toMatchObject({ code: 24 });
});

describe("simulations by a wallet", () => {
  test("of transfers change nothing", async () => {
    const account = chain.account(3);
    const nonce = await account.getNonce();
    const transfers = [5n, 6n].map((amount) => ({
      type: "INVOKE" as const,
      ...transferCall(RECIPIENT, amount),
    }));
    const text = textOf(await account.simulateTransaction(transfers));
    expect(text.match(/"type":"INVOKE"/g)).toHaveLength(2);
    expect(await account.getNonce()).toBe(nonce);
  });

  sharedTest("of a declaration compile its class", async () => {
    const text = readFileSync(fixturePath("classes/pathfinder-rpc/storage_access.json"), "utf8");
    const contract = json.parse(text) as CompiledSierra;
    const sierraClass = sierraClassFromJson(text);
    const casm = compileClass(sierraClass, { maxBytecodeSize: 2 ** 20 });
    const account = chain.account(4);
    const simulated = await account.simulateTransaction([
      {
        type: "DECLARE",
        contract,
        compiledClassHash: hexFromFelt(compiledClassHash(casm, "blake")),
      },
    ]);
    expect(textOf(simulated)).toContain('"type":"DECLARE"');
  });
});

test("estimating a message to an account, which has no handler, is a contract error", async () => {
  const message = {
    from_address: "0x1",
    to_address: chain.account(0).address,
    entry_point_selector: "0x2",
    payload: [],
  };
  const { error } = await rawCall(chain.url, "starknet_estimateMessageFee", {
    message,
    block_id: "latest",
  });
  expect(error).toMatchObject({ code: 40, data: { revert_error: { selector: "0x2" } } });
});
