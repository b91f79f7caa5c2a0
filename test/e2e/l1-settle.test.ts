import { afterAll, beforeAll, describe, expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hash } from "starknet";
import { ANVIL_KEY, type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import { BINARY } from "#test/helpers/binary.ts";
import { CORE_ABI } from "#test/helpers/l1-core-abi.ts";
import { deployCore } from "#test/helpers/l1-core.ts";
import { L1Contract } from "#test/helpers/l1-contract.ts";
import {
  L1_CONTRACT,
  MessageChain,
  ON_DEMAND,
  type SentMessage,
} from "#test/helpers/message-chain.ts";
import { createRandom } from "#test/helpers/random.ts";
import { runCommand } from "#test/helpers/run-binary.ts";
import { SHARED, sharedTest } from "#test/helpers/shared.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

/** One message that succeeds, one that reverts, and one without a handler: all are consumed. */
const FROM_L1: readonly SentMessage[] = [
  { handler: "l1_handler_set_value", payload: ["0x876", "0x44"], nonce: "0x0" },
  { handler: "l1_handler_set_value", payload: ["0x879"], nonce: "0x1" },
  { handler: "nobody", payload: [], nonce: "0x2" },
];
const FEE_WEI = 1_000n;
const TO_L1 = ["0x7e3", "0x7e4"];

/** Kills of the command, at random times during updates of different blocks. */
const KILLS = bySize({ quick: 3, full: 6 });
const LONGEST_LIFE_MS = 400;

const chain = useStoppedChain(ON_DEMAND);
let anvil: RunningAnvil;
let world: MessageChain;
let core: L1Contract;
let keyFile: string;

beforeAll(async () => {
  if (SHARED === undefined) return;
  anvil = await startAnvil();
  core = new L1Contract(anvil, (await deployCore(anvil)).address, CORE_ABI);
  await chain.start();
  keyFile = join(chain.folder.path, "operator.key");
  writeFileSync(keyFile, ANVIL_KEY, { mode: 0o600 });
  world = await MessageChain.deploy(chain);
}, 120_000);

afterAll(async () => {
  await anvil?.stop();
});

function settleArguments(): readonly string[] {
  return [
    ...["l1", "settle", "--dev", "--key-file", keyFile, "--core-contract", core.address],
    ...["--l1-endpoint", anvil.url, "--url", `${chain.url}/rpc/v0_10`],
  ];
}

/** Starts the command for blocks up to `to`, and kills it after some time. */
async function killedAfter(to: number, lifeMs: number): Promise<void> {
  const args = [...settleArguments(), "--to", String(to)];
  const child = Bun.spawn([BINARY, ...args], { stdout: "ignore", stderr: "inherit" });
  await Bun.sleep(lifeMs);
  child.kill("SIGKILL");
  await child.exited;
}

/** Calls the core contract as the recipient on L1, whose key nobody has. */
async function asContract(
  functionName: "sendMessageToL2" | "consumeMessageFromL2",
  args: readonly unknown[],
  value = 0n,
): Promise<void> {
  const { client } = anvil;
  await client.impersonateAccount({ address: L1_CONTRACT });
  await client.setBalance({ address: L1_CONTRACT, value: 10n ** 18n });
  const request = { address: core.address, abi: CORE_ABI, functionName, args, value } as const;
  const sent = await client.writeContract({ ...request, account: L1_CONTRACT } as never);
  expect((await client.waitForTransactionReceipt({ hash: sent })).status).toBe("success");
}

async function messageHash({ handler, payload, nonce }: SentMessage): Promise<string> {
  const selector = hash.getSelectorFromName(handler);
  const args = [
    L1_CONTRACT,
    BigInt(world.contract),
    BigInt(selector),
    payload.map(BigInt),
    BigInt(nonce),
  ];
  return String(await core.read("l1ToL2MsgHash", ...args));
}

describe("appchain l1 settle", () => {
  sharedTest(
    "settles messages in both directions through kills, no block twice",
    async () => {
      for (const message of FROM_L1) {
        const selector = BigInt(hash.getSelectorFromName(message.handler));
        const args = [BigInt(world.contract), selector, message.payload.map(BigInt)];
        await asContract("sendMessageToL2", args, FEE_WEI);
        await world.send(message);
        await world.devnet.createBlock();
      }
      for (const _ of [1, 2]) await world.sendToL1(L1_CONTRACT, TO_L1);
      await world.devnet.createBlock();
      for (let block = 0; block < 20; block++) await world.devnet.createBlock();
      const newest = await chain.provider.getBlock("latest");

      const first = await runCommand([...settleArguments(), "--to", "0"]);
      expect([first.exitCode, first.output]).toEqual([
        0,
        expect.stringContaining("core contract has block 0"),
      ]);
      const random = createRandom(19);
      for (let kill = 0; kill < KILLS; kill++) {
        await killedAfter(1 + 3 * kill, random.below(LONGEST_LIFE_MS));
      }
      const last = await runCommand(settleArguments());
      expect([last.exitCode, last.output]).toEqual([
        0,
        expect.stringContaining(`the core contract has block ${newest.block_number}`),
      ]);

      const updates = await anvil.client.getContractEvents({
        address: core.address,
        abi: CORE_ABI,
        eventName: "LogStateUpdate",
        fromBlock: 0n,
      });
      const numbers = updates.map(({ args }) => Number(args.blockNumber));
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      expect([numbers[0], numbers.at(-1)]).toEqual([0, newest.block_number]);
      expect(numbers.length).toBeLessThanOrEqual(2 + KILLS);
      for (const { args } of updates) {
        const block = await chain.provider.getBlockWithTxHashes(Number(args.blockNumber));
        expect(block).toMatchObject({
          block_hash: `0x${args.blockHash?.toString(16)}`,
          new_root: `0x${args.globalRoot?.toString(16)}`,
        });
      }
      for (const message of FROM_L1) {
        expect(await core.read("l1ToL2Messages", await messageHash(message))).toBe(0n);
      }
      // The operator has received the fees of the messages.
      expect(await anvil.client.getBalance({ address: core.address })).toBe(0n);
      for (const _ of [1, 2]) {
        await asContract("consumeMessageFromL2", [BigInt(world.contract), TO_L1.map(BigInt)]);
      }
      const consumed = core.refusal("consumeMessageFromL2", [
        BigInt(world.contract),
        TO_L1.map(BigInt),
      ]);
      expect(await consumed).toBe("INVALID_MESSAGE_TO_CONSUME");
    },
    60_000,
  );

  sharedTest(
    "stops at a block that consumed a message that L1 never sent, and names it",
    async () => {
      await world.devnet.createBlock();
      const invented = {
        ...FROM_L1[0],
        handler: "l1_handler_set_value",
        payload: ["0x1", "0x2"],
        nonce: "0x3",
      };
      await world.send(invented);
      await world.devnet.createBlock();
      const { block_number: newest } = await chain.provider.getBlock("latest");
      const { exitCode, output } = await runCommand(settleArguments());
      expect(exitCode).toBe(1);
      // The program prints hashes without leading zeros.
      const hash = BigInt(await messageHash(invented)).toString(16);
      expect(output).toContain(`block ${newest} consumed message 0x${hash} (nonce 3)`);
      expect(await core.read("stateBlockNumber")).toBe(BigInt(newest - 1));
    },
  );
});
