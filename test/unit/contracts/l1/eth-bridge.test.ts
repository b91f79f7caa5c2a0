import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { encodeFunctionData, type Hex } from "viem";
import { hash } from "starknet";
import { type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import {
  FEE,
  GOVERNOR,
  type L1Contract,
  L1World,
  L2_BRIDGE,
  STRANGER,
  USER,
  withdrawalPayload,
} from "#test/helpers/l1-bridges.ts";

const ETH: Hex = "0x0000000000000000000000000000000000455448";
const BOUND = 2n ** 251n - 256n;
const ETHER = 10n ** 18n;
const DELAY_SECONDS = 5 * 24 * 3600;

let anvil: RunningAnvil;
let world: L1World;
let bridge: L1Contract;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await L1World.deploy(anvil);
  bridge = await world.contract("EthBridge", [world.core.address, GOVERNOR.address]);
}, 60_000);

afterAll(async () => {
  await anvil.stop();
});

const deposit = (amount: bigint, recipient = 7n) =>
  world.send(bridge, "deposit", [amount, recipient], { by: USER, value: amount + FEE });

const refusedDeposit = (amount: bigint, recipient: bigint, value: bigint) =>
  world.refusal(bridge, "deposit", [amount, recipient], { by: USER, value });

describe("ETH deposits", () => {
  test("require the L2 bridge to be set, which is possible once", async () => {
    expect(await refusedDeposit(1n, 7n, 2n)).toBe("L2_BRIDGE_NOT_SET");
    const set = (value: bigint, by = GOVERNOR) =>
      world.refusal(bridge, "setL2TokenBridge", [value], { by });
    expect(await set(L2_BRIDGE, STRANGER)).toBe("ONLY_GOVERNANCE");
    for (const wrong of [0n, BOUND, 2n ** 256n - 1n]) {
      expect(await set(wrong)).toBe("L2_ADDRESS_OUT_OF_RANGE");
    }
    await world.send(bridge, "setL2TokenBridge", [L2_BRIDGE]);
    expect(await set(8n)).toBe("L2_BRIDGE_ALREADY_SET");
  });

  test("lock the amount and send the rest as message fee", async () => {
    const coreBefore = await anvil.client.getBalance({ address: world.core.address });
    const [message, ...more] = world.messagesToL2(await deposit(5n * ETHER));
    if (message === undefined) throw new TypeError("no message");
    expect(more).toEqual([]);
    expect(message).toMatchObject({
      toAddress: L2_BRIDGE,
      selector: BigInt(hash.getSelectorFromName("handle_token_deposit")),
      payload: [BigInt(ETH), BigInt(USER.address), 7n, 5n * ETHER, 0n],
      nonce: 0n,
      fee: FEE,
    });
    expect(BigInt(message.fromAddress)).toBe(BigInt(bridge.address));
    expect(await world.messageValue(message)).toBe(FEE + 1n);
    expect(await world.read<bigint>(bridge, "lockedAmount", ETH)).toBe(5n * ETHER);
    expect(await anvil.client.getBalance({ address: bridge.address })).toBe(5n * ETHER);
    const coreAfter = await anvil.client.getBalance({ address: world.core.address });
    expect(coreAfter - coreBefore).toBe(FEE);
  });

  test("are checked for value and fee", async () => {
    expect(await refusedDeposit(10n, 7n, 9n)).toBe("INSUFFICIENT_VALUE");
    expect(await refusedDeposit(10n, 7n, 10n)).toBe("L1_MSG_FEE_MUST_BE_GREATER_THAN_0");
    expect(await refusedDeposit(10n, 7n, 11n)).toBe("taken");
    expect(await refusedDeposit(10n, 7n, 10n + ETHER)).toBe("taken");
    expect(await refusedDeposit(10n, 7n, 11n + ETHER)).toBe("MAX_L1_MSG_FEE_EXCEEDED");
    expect(await refusedDeposit(0n, 7n, FEE)).toBe("ZERO_DEPOSIT");
    expect(await refusedDeposit(2n ** 256n - 1n, 7n, FEE)).toBe("MAX_BALANCE_EXCEEDED");
    const other = [bridge.address, 10n, 7n];
    expect(await world.refusal(bridge, "deposit", other, { value: 11n })).toBe(
      "TOKEN_NOT_SERVICED",
    );
  });

  test("require a valid L2 address as recipient", async () => {
    for (const wrong of [
      0n,
      BOUND,
      2n ** 251n,
      2n ** 251n + 17n * 2n ** 192n + 1n,
      2n ** 256n - 1n,
    ]) {
      expect(await refusedDeposit(10n, wrong, 11n)).toBe("L2_ADDRESS_OUT_OF_RANGE");
    }
    expect(await refusedDeposit(10n, BOUND - 1n, 11n)).toBe("taken");
  });

  test("respect limits to the wei", async () => {
    const locked = await world.read<bigint>(bridge, "lockedAmount", ETH);
    const setLimit = (name: string, value: bigint) => world.send(bridge, name, [ETH, value]);
    await setLimit("setMaxDeposit", 10n);
    expect(await refusedDeposit(10n, 7n, 11n)).toBe("taken");
    expect(await refusedDeposit(11n, 7n, 12n)).toBe("TRANSFER_TO_STARKNET_AMOUNT_EXCEEDED");
    await setLimit("setMaxTotalBalance", locked + 9n);
    expect(await refusedDeposit(9n, 7n, 11n)).toBe("taken");
    expect(await refusedDeposit(10n, 7n, 11n)).toBe("MAX_BALANCE_EXCEEDED");
    await setLimit("setMaxTotalBalance", 1n);
    expect(await refusedDeposit(1n, 7n, 2n)).toBe("MAX_BALANCE_EXCEEDED");
    for (const name of ["setMaxDeposit", "setMaxTotalBalance"]) {
      expect(await world.refusal(bridge, name, [ETH, 1n], { by: STRANGER })).toBe(
        "ONLY_GOVERNANCE",
      );
      expect(await world.refusal(bridge, name, [ETH, 0n])).toMatch(/^INVALID_MAX_/);
      await setLimit(name, 2n ** 256n - 1n);
    }
  });
});

describe("ETH withdrawals", () => {
  const withdraw = [1000n, USER.address];

  test("pay out an L2 message once, for any caller", async () => {
    expect(await world.refusal(bridge, "withdraw", withdraw)).toBe("INVALID_MESSAGE_TO_CONSUME");
    await world.update(bridge.address, [withdrawalPayload(ETH, 1000n, USER.address)], [], 8n);
    expect(await world.refusal(bridge, "withdraw", withdraw)).toBe("INVALID_MESSAGE_TO_CONSUME");
    await world.update(bridge.address, [withdrawalPayload(ETH, 1000n, USER.address)]);
    const before = await anvil.client.getBalance({ address: USER.address });
    await world.send(bridge, "withdraw", withdraw, { by: STRANGER });
    expect((await anvil.client.getBalance({ address: USER.address })) - before).toBe(1000n);
    expect(await world.read<bigint>(bridge, "lockedAmount", ETH)).toBe(5n * ETHER - 1000n);
    expect(await world.refusal(bridge, "withdraw", withdraw)).toBe("INVALID_MESSAGE_TO_CONSUME");
  });

  test("never exceed the locked amount, nor go to the bridge itself", async () => {
    const most = 2n ** 256n - 1n;
    const payloads = [most, 5n * ETHER].map((amount) =>
      withdrawalPayload(ETH, amount, USER.address),
    );
    await world.update(bridge.address, payloads);
    for (const amount of [most, 5n * ETHER]) {
      expect(await world.refusal(bridge, "withdraw", [amount, USER.address])).toBe(
        "AMOUNT_NOT_LOCKED",
      );
    }
    for (const recipient of [bridge.address, "0x0000000000000000000000000000000000000000"]) {
      expect(await world.refusal(bridge, "withdraw", [1n, recipient])).toBe("INVALID_RECIPIENT");
    }
  });

  test("cannot be re-entered, and fail only for a recipient that refuses ETH", async () => {
    const receiver = await world.testContract("Receiver");
    const args = [ETH, 100n, receiver.address];
    const payload = withdrawalPayload(ETH, 100n, receiver.address);
    await world.update(bridge.address, [payload, payload]);
    expect(await world.refusal(bridge, "withdraw", args)).toBe("ETH_TRANSFER_FAILED");
    const { abi } = bridge;
    const again = encodeFunctionData({ abi, functionName: "withdraw", args });
    await world.send(receiver, "set", [bridge.address, again]);
    await world.send(bridge, "withdraw", args);
    expect(await world.read<boolean>(receiver, "succeeded")).toBe(false);
    expect(await anvil.client.getBalance({ address: receiver.address })).toBe(100n);
    await world.send(bridge, "withdraw", args);
    expect(await anvil.client.getBalance({ address: receiver.address })).toBe(200n);
  });
});

describe("cancellation of ETH deposits", () => {
  test("refunds the depositor once, after 5 days", async () => {
    const [message] = world.messagesToL2(await deposit(2000n, 9n));
    const nonce = message?.nonce ?? -1n;
    const args = [ETH, 2000n, 9n, nonce];
    const reclaim = (by = USER) => world.refusal(bridge, "depositReclaim", args, { by });
    const request = (given: readonly unknown[], by = USER) =>
      world.refusal(bridge, "depositCancelRequest", given, { by });
    expect(await reclaim()).toBe("MESSAGE_CANCELLATION_NOT_REQUESTED");
    expect(await request(args, STRANGER)).toBe("ONLY_DEPOSITOR");
    expect(await request([ETH, 2000n, 9n, nonce + 1n])).toBe("NO_DEPOSIT_TO_CANCEL");
    for (const other of [
      [ETH, 2001n, 9n, nonce],
      [ETH, 2000n, 8n, nonce],
      [bridge.address, 2000n, 9n, nonce],
    ]) {
      expect(await request(other)).toBe("NO_MESSAGE_TO_CANCEL");
    }
    await world.send(bridge, "depositCancelRequest", args, { by: USER });
    await world.wait(DELAY_SECONDS - 60);
    expect(await reclaim()).toBe("MESSAGE_CANCELLATION_NOT_ALLOWED_YET");
    await world.wait(60);
    expect(await reclaim(STRANGER)).toBe("ONLY_DEPOSITOR");
    const locked = await world.read<bigint>(bridge, "lockedAmount", ETH);
    await world.send(bridge, "depositReclaim", args, { by: USER });
    expect(await world.read<bigint>(bridge, "lockedAmount", ETH)).toBe(locked - 2000n);
    expect(await reclaim()).toBe("NO_MESSAGE_TO_CANCEL");
  });

  test("is impossible after L2 consumed the deposit", async () => {
    const receipt = await deposit(3000n, 9n);
    const [message] = world.messagesToL2(receipt);
    const args = [ETH, 3000n, 9n, message?.nonce];
    await world.send(bridge, "depositCancelRequest", args, { by: USER });
    await world.update(bridge.address, [], world.messagesToL2(receipt));
    await world.wait(DELAY_SECONDS);
    expect(await world.refusal(bridge, "depositReclaim", args, { by: USER })).toBe(
      "NO_MESSAGE_TO_CANCEL",
    );
  });
});

test("EthBridge governance is transferred in two steps", async () => {
  const nominate = (nominee: Hex) => world.send(bridge, "nominateNewGovernor", [nominee]);
  const accept = (by: typeof USER) => world.refusal(bridge, "acceptGovernance", [], { by });
  expect(await world.refusal(bridge, "nominateNewGovernor", [USER.address], { by: STRANGER })).toBe(
    "ONLY_GOVERNANCE",
  );
  await nominate(USER.address);
  expect(await accept(STRANGER)).toBe("ONLY_CANDIDATE_GOVERNOR");
  await nominate("0x0000000000000000000000000000000000000000");
  expect(await accept(USER)).toBe("ONLY_CANDIDATE_GOVERNOR");
  await nominate(USER.address);
  await world.send(bridge, "acceptGovernance", [], { by: USER });
  expect(await world.read<boolean>(bridge, "isGovernor", GOVERNOR.address)).toBe(false);
  expect(await world.refusal(bridge, "setMaxDeposit", [ETH, 1n])).toBe("ONLY_GOVERNANCE");
  expect(await world.refusal(bridge, "setMaxDeposit", [ETH, 1n], { by: USER })).toBe("taken");
  expect(await accept(USER)).toBe("ONLY_CANDIDATE_GOVERNOR");
});

test("EthBridge rejects an invalid core contract and a missing governor", async () => {
  const nobody = "0x0000000000000000000000000000000000000000";
  const deployments = [
    [USER.address, GOVERNOR.address],
    [world.core.address, nobody],
  ];
  for (const args of deployments) {
    const failed = world.contract("EthBridge", args).then(() => "deployed", String);
    expect(await failed).toMatch(/INVALID_MESSAGING_CONTRACT_ADDRESS|ZERO_GOVERNOR/);
  }
});
