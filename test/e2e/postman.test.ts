import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { hash, json } from "starknet";
import { DevnetProvider } from "starknet-devnet";
import { type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import { rawCall } from "#test/helpers/binary.ts";
import { type L1Proxy, startL1Proxy } from "#test/helpers/l1-proxy.ts";
import { entry } from "#test/helpers/contract-scenarios/kit.ts";
import { CORE_ABI } from "#test/helpers/l1-core-abi.ts";
import { clientCompiledClassHash } from "#test/helpers/client-hashes.ts";
import { DECLARE_BOUNDS } from "#test/helpers/declares.ts";
import {
  deployTokenBridge,
  FEE,
  halves,
  type L1Contract,
  L1World,
  testToken,
  USER,
} from "#test/helpers/l1-bridges.ts";
import { NO_ESTIMATE } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const AMOUNT = 2n ** 130n + 3n;
const WITHDRAWN = 2n ** 129n;
const FOLDER = resolve(import.meta.dir, "../../contracts/l2");
const hex = (value: bigint): string => `0x${value.toString(16)}`;

const chain = useChain();
let anvil: RunningAnvil;
/** Proxy between the chain and L1. */
let proxy: L1Proxy;
let devnet: DevnetProvider;
let messaging: string;
let world: L1World;
let bridges: { manager: L1Contract; bridge: L1Contract };
let token: L1Contract;
let l2Bridge: string;

const execute = (entrypoint: string, calldata: readonly string[]) =>
  chain
    .account(0)
    .execute({ contractAddress: l2Bridge, entrypoint, calldata: [...calldata] }, NO_ESTIMATE);

const read = async (contractAddress: string, entrypoint: string, calldata: string[]) =>
  (await chain.provider.callContract({ contractAddress, entrypoint, calldata }, "latest")).map(
    BigInt,
  );

async function deployL2Bridge(): Promise<string> {
  const account = chain.account(0);
  const textOf = (file: string) => readFileSync(resolve(FOLDER, file), "utf8");
  const parsed = (file: string) => json.parse(textOf(file));
  const casmText = textOf("build/token_bridge.casm.json");
  const version = await account.provider.channel.getStarknetVersion();
  await account.declare(
    {
      contract: {
        ...parsed("token_bridge.sierra.json"),
        abi: json.parse(parsed("token_bridge.sierra.json").abi),
      },
      casm: json.parse(casmText),
      compiledClassHash: clientCompiledClassHash(casmText, version),
      classHash: entry("token_bridge").classHash,
    },
    DECLARE_BOUNDS,
  );
  const { contract_address: deployed } = await account.deploy(
    { classHash: entry("token_bridge").classHash, constructorCalldata: [account.address] },
    NO_ESTIMATE,
  );
  return deployed[0] ?? "";
}

beforeAll(async () => {
  anvil = await startAnvil();
  proxy = await startL1Proxy(anvil.url);
  devnet = new DevnetProvider({ url: chain.url });
  l2Bridge = await deployL2Bridge();
}, 60_000);

afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await anvil.stop();
});

test("a messaging contract is deployed on L1, and an existing one is used by address", async () => {
  const loaded = await devnet.postman.loadL1MessagingContract(proxy.url);
  messaging = loaded.messaging_contract_address;
  expect(messaging).toBe("0x5fbdb2315678afecb367f032d93f642f64180aa3");
  expect(await devnet.postman.loadL1MessagingContract(proxy.url, messaging)).toEqual(loaded);
  const other = devnet.postman.loadL1MessagingContract(proxy.url, `0x${"ab".repeat(20)}`);
  expect(await other.catch((error: unknown) => error)).toMatchObject({
    code: -1,
    message: expect.stringContaining("contains no contract"),
  });
});

test("messages from L1 are executed, and messages to L1 can be consumed there", async () => {
  const address = messaging as `0x${string}`;
  world = new L1World(anvil, { address, verifier: address, implementation: address });
  bridges = await deployTokenBridge(world, BigInt(l2Bridge));
  const { manager, bridge } = bridges;
  token = await testToken(world, bridge, AMOUNT);
  await execute("set_l1_bridge", [bridge.address]);
  await execute("set_erc20_class_hash", [entry("erc20").classHash]);
  const recipient = chain.account(0).address;
  await world.send(manager, "enrollTokenBridge", [token.address], { value: FEE });
  const receipt = await world.send(bridge, "deposit", [token.address, AMOUNT, BigInt(recipient)], {
    by: USER,
    value: FEE,
  });
  const flushed = await devnet.postman.flush();
  expect(flushed).toMatchObject({ messages_to_l1: [], l1_provider: `${proxy.url}/` });
  expect(flushed.messages_to_l2).toMatchObject([
    { entry_point_selector: hash.getSelectorFromName("handle_token_deployment"), nonce: "0x0" },
    {
      l2_contract_address: hex(BigInt(l2Bridge)),
      entry_point_selector: hash.getSelectorFromName("handle_token_deposit"),
      l1_contract_address: bridge.address.toLowerCase(),
      payload: [
        BigInt(token.address),
        BigInt(USER.address),
        BigInt(recipient),
        ...halves(AMOUNT),
      ].map(hex),
      paid_fee_on_l1: hex(FEE),
      nonce: "0x1",
      l1_transaction_hash: receipt.transactionHash,
    },
  ]);
  expect(flushed.generated_l2_transactions).toHaveLength(2);
  for (const made of flushed.generated_l2_transactions) {
    expect(await chain.provider.getTransactionReceipt(made)).toMatchObject({
      type: "L1_HANDLER",
      execution_status: "SUCCEEDED",
    });
  }
  const [l2Token = 0n] = await read(l2Bridge, "get_l2_token", [token.address]);
  expect(await read(hex(l2Token), "balance_of", [recipient])).toEqual(halves(AMOUNT));
  await execute("initiate_token_withdraw", [
    token.address,
    USER.address,
    ...halves(WITHDRAWN).map(hex),
  ]);
  const withdraw = [token.address, WITHDRAWN, USER.address];
  expect(await world.refusal(bridge, "withdraw", withdraw)).toBe("INVALID_MESSAGE_TO_CONSUME");
  expect((await devnet.postman.flush({ dryRun: true })).messages_to_l1).toHaveLength(1);
  expect((await devnet.postman.flush()).messages_to_l1).toMatchObject([
    { from_address: hex(BigInt(l2Bridge)), to_address: hex(BigInt(bridge.address)) },
  ]);
  await world.send(bridge, "withdraw", withdraw);
  expect(await world.read<bigint>(token, "balanceOf", USER.address)).toBe(WITHDRAWN);
  const empty = { messages_to_l1: [], messages_to_l2: [], generated_l2_transactions: [] };
  expect(await devnet.postman.flush()).toMatchObject(empty);
});

test("messages that revert or cannot be executed do not block later ones", async () => {
  const core = { address: world.core.address, abi: CORE_ABI };
  const call = { by: USER, value: FEE };
  await world.send(core, "sendMessageToL2", [0x1234n, 1n, []], call);
  await world.send(core, "sendMessageToL2", [BigInt(l2Bridge), 1n, [2n ** 256n - 1n]], call);
  await world.send(bridges.bridge, "deposit", [token.address, WITHDRAWN, 7n], call);
  const flushed = await devnet.postman.flush();
  expect(flushed.messages_to_l2).toMatchObject([{ nonce: "0x2" }, { nonce: "0x4" }]);
  const statuses = await Promise.all(
    flushed.generated_l2_transactions.map((made) => chain.provider.getTransactionReceipt(made)),
  );
  expect(statuses).toMatchObject([
    { execution_status: "REVERTED" },
    { execution_status: "SUCCEEDED" },
  ]);
});

test("a hanging L1 delays no other request, and is used again once it responds", async () => {
  await world.send(token, "mint", [USER.address, 1n]);
  await world.send(bridges.bridge, "deposit", [token.address, 1n, 7n], { by: USER, value: FEE });
  proxy.add({ lie: () => undefined });
  const order: string[] = [];
  const flush = async () => {
    const { error } = await rawCall(chain.url, "devnet_postmanFlush", {});
    order.push("flush");
    return error;
  };
  const flushes = Promise.all(Array.from({ length: 8 }, flush));
  await devnet.createBlock();
  await execute("nominate_governor", ["0x0"]);
  order.push("others");
  for (const error of await flushes) {
    expect(error).toMatchObject({ code: -1, message: expect.stringContaining("did not answer") });
  }
  expect(order[0]).toBe("others");
  proxy.honest();
  expect((await devnet.postman.flush()).generated_l2_transactions).toHaveLength(1);
});

test("without L1 a flush fails, and the chain continues, also after a restart", async () => {
  await proxy[Symbol.asyncDispose]();
  const { error } = await rawCall(chain.url, "devnet_postmanFlush", {});
  expect(error).toMatchObject({ code: -1, message: expect.stringContaining("cannot reach") });
  await devnet.createBlock();
  await rawCall(chain.url, "devnet_restart", { restart_l1_to_l2_messaging: true });
  expect(await devnet.postman.flush()).toMatchObject({ l1_provider: "mock" });
});
