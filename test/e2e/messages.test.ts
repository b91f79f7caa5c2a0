import { beforeAll, describe, expect } from "bun:test";
import { type constants, hash, shortString } from "starknet";
import { rawCall } from "#test/helpers/binary.ts";
import {
  L1_CONTRACT,
  MessageChain,
  type MessageReceipt,
  type SentMessage,
  ON_DEMAND,
} from "#test/helpers/message-chain.ts";
import { VERSIONS } from "#test/helpers/rpc.ts";
import { SHARED, sharedTest } from "#test/helpers/shared.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

const CHAIN_ID = shortString.encodeShortString("APPCHAIN_DEVNET") as constants.StarknetChainId;
/** Above the Stark prime, as L1 hashes may be. */
const L1_HASH = `0x${"ab".repeat(32)}`;

/** Writes 0x44 to 0x876. */
const WRITE: SentMessage = {
  handler: "l1_handler_set_value",
  payload: ["0x876", "0x44"],
  nonce: "0x7",
  l1Hash: L1_HASH,
};
/** Without the value to write: it reverts. */
const REVERT: SentMessage = {
  handler: "l1_handler_set_value",
  payload: ["0x879"],
  nonce: "0x6",
  l1Hash: L1_HASH,
};

const chain = useStoppedChain(ON_DEMAND);
let world: MessageChain;
let written: string;
let reverted: string;

beforeAll(async () => {
  if (SHARED === undefined) return;
  await chain.start();
  world = await MessageChain.deploy(chain);
}, 60_000);

/**
 * Gas of these messages to this class in the reference engine (`shared/oracle`), protocol 0.14.4,
 * data in blobs.
 */
const GAS = {
  written: { l1_gas: 16_023, l1_data_gas: 160, l2_gas: 692_240 },
  reverted: { l1_gas: 14_643, l1_data_gas: 0, l2_gas: 165_120 },
  noHandler: { l1_gas: 13_263, l1_data_gas: 0, l2_gas: 160_000 },
} as const;

const selectorOf = ({ handler }: SentMessage): string => hash.getSelectorFromName(handler);

/** Hash of the transaction that handles a message, computed by the client library. */
const hashOf = (message: SentMessage): string =>
  hash.calculateL2MessageTxHash(
    L1_CONTRACT,
    world.contract,
    selectorOf(message),
    [...message.payload],
    CHAIN_ID,
    message.nonce,
  );

function estimate(message: SentMessage, block_id = "pre_confirmed") {
  return {
    message: {
      from_address: L1_CONTRACT,
      to_address: world.contract,
      entry_point_selector: selectorOf(message),
      payload: message.payload,
    },
    block_id,
  };
}

/** Tag of the newest state in a specification version. */
const newest = (version: string): string =>
  version === "0.7.1" || version === "0.8.1" ? "pending" : "pre_confirmed";

/** Finality that a version reports for a transaction in the block being built. */
const unaccepted = (version: string): string =>
  newest(version) === "pending" ? "ACCEPTED_ON_L2" : "PRE_CONFIRMED";

const FIRST = VERSIONS.filter((version) => version !== "0.7.1");

async function expectStatuses(finality: (version: string) => string): Promise<void> {
  for (const version of FIRST) {
    const finality_status = finality(version);
    const isOld = version === "0.8.1";
    expect(await world.ask<unknown>(version, "getMessagesStatus", [L1_HASH])).toEqual([
      {
        transaction_hash: reverted,
        finality_status,
        ...(isOld
          ? {}
          : { execution_status: "REVERTED", failure_reason: expect.stringContaining("param #3") }),
      },
      {
        transaction_hash: written,
        finality_status,
        ...(isOld ? {} : { execution_status: "SUCCEEDED" }),
      },
    ]);
  }
}

describe("a message from L1", () => {
  sharedTest("is estimated in every version with the reference engine's gas", async () => {
    const { l1_gas, l1_data_gas, l2_gas } = GAS.written;
    // L2 gas is reported as L1 gas: 100 L2 gas are a Cairo step, 400 steps are one L1 gas.
    const l1Gas = l1_gas + Math.ceil(l2_gas / 40_000);
    for (const version of VERSIONS) {
      const given = await world.ask<Record<string, string>>(
        version,
        "estimateMessageFee",
        estimate(WRITE, newest(version)),
      );
      const old = version === "0.7.1";
      const used = old ? given["gas_consumed"] : given["l1_gas_consumed"];
      const data = old ? given["data_gas_consumed"] : given["l1_data_gas_consumed"];
      expect([Number(used), Number(data), given["unit"]]).toEqual([l1Gas, l1_data_gas, "WEI"]);
      const price = BigInt((old ? given["gas_price"] : given["l1_gas_price"]) ?? 0);
      const dataPrice = BigInt((old ? given["data_gas_price"] : given["l1_data_gas_price"]) ?? 0);
      expect(BigInt(given["overall_fee"] ?? 0)).toBe(
        BigInt(l1Gas) * price + BigInt(l1_data_gas) * dataPrice,
      );
    }
    expect(await world.storage("0x876")).toBe("0x0");
  });

  sharedTest("changes the state when it is executed, with the estimated gas", async () => {
    written = await world.send(WRITE);
    expect(BigInt(written)).toBe(BigInt(hashOf(WRITE)));
    expect([await world.storage("0x876"), await world.storage("0x876", "latest")]).toEqual([
      "0x44",
      "0x0",
    ]);
    const receipt = await world.receipt(written);
    expect(receipt).toMatchObject({
      type: "L1_HANDLER",
      execution_status: "SUCCEEDED",
      finality_status: "PRE_CONFIRMED",
      actual_fee: { amount: "0x0", unit: "WEI" },
    });
    expect(receipt.execution_resources).toEqual(GAS.written);
  });

  sharedTest(
    "with a failing handler changes nothing, with the reference engine's gas",
    async () => {
      reverted = await world.send(REVERT);
      expect(await world.storage("0x879")).toBe("0x0");
      const receipt = await world.receipt(reverted);
      expect(receipt).toMatchObject({
        execution_status: "REVERTED",
        actual_fee: { amount: "0x0" },
      });
      expect(receipt.execution_resources).toEqual(GAS.reverted);
      for (const version of VERSIONS) {
        const params = estimate(REVERT, newest(version));
        expect(await world.refusal(version, "estimateMessageFee", params)).toMatchObject({
          code: 40,
        });
      }
      const missing = await world.send({ handler: "nobody", payload: [], nonce: "0x30" });
      expect((await world.receipt(missing)).execution_resources).toEqual(GAS.noHandler);
    },
  );

  sharedTest("without a fee, or sent before, is rejected", async () => {
    const free = await world.trySend({ ...WRITE, nonce: "0x31", fee: "0x0" });
    expect(free.error).toMatchObject({ code: -1, message: expect.stringContaining("fee") });
    expect((await world.trySend(WRITE)).error).toMatchObject({ code: -1 });
  });

  sharedTest("is readable in every version, before and after its block is accepted", async () => {
    const traces = new Map<string, unknown>();
    const look = async (finality: (version: string) => string) => {
      await expectStatuses(finality);
      for (const version of VERSIONS) {
        for (const [transactionHash, { handler, payload, nonce }] of [
          [written, WRITE],
          [reverted, REVERT],
        ] as const) {
          const of = [transactionHash];
          expect(await world.ask<unknown>(version, "getTransactionByHash", of)).toMatchObject({
            type: "L1_HANDLER",
            version: "0x0",
            transaction_hash: transactionHash,
            contract_address: world.contract,
            entry_point_selector: hash.getSelectorFromName(handler),
            calldata: [L1_CONTRACT, ...payload],
            nonce,
          });
          const receipt = await world.ask<MessageReceipt>(version, "getTransactionReceipt", of);
          expect(receipt.finality_status).toBe(finality(version));
          expect(BigInt(receipt.message_hash ?? 0)).toBe(
            BigInt(
              hash.getL2MessageHash(
                L1_CONTRACT,
                world.contract,
                hash.getSelectorFromName(handler),
                [...payload],
                nonce,
              ),
            ),
          );
          const trace = await world.ask<Readonly<Record<string, unknown>>>(
            version,
            "traceTransaction",
            of,
          );
          expect(trace["type"]).toBe("L1_HANDLER");
          const key = `${version} ${transactionHash}`;
          expect(trace).toEqual((traces.get(key) ?? trace) as typeof trace);
          traces.set(key, trace);
        }
      }
    };
    await look(unaccepted);
    expect(traces.get(`0.10.2 ${written}`)).toMatchObject({
      state_diff: {
        storage_diffs: expect.arrayContaining([
          { address: world.contract, storage_entries: [{ key: "0x876", value: "0x44" }] },
        ]),
      },
      function_invocation: {
        calldata: [L1_CONTRACT, "0x876", "0x44"],
        entry_point_type: "L1_HANDLER",
      },
    });
    await world.devnet.createBlock();
    await look(() => "ACCEPTED_ON_L2");
    // A new process has no traces in memory: it re-executes the block.
    await chain.stop();
    await chain.start();
    await look(() => "ACCEPTED_ON_L2");
    expect(await world.storage("0x876", "latest")).toBe("0x44");
    const accepted = await rawCall(world.chain.url, "devnet_acceptOnL1", {
      starting_block_id: "latest",
    });
    expect(accepted.error).toBeUndefined();
    await expectStatuses(() => "ACCEPTED_ON_L1");
    expect((await world.refusal("0.7.1", "getMessagesStatus", [L1_HASH]))?.code).toBe(-32601);
    expect((await world.refusal("0.10.2", "getMessagesStatus", ["0x1"]))?.code).toBe(29);
  });
});
