import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { encodeFunctionData, type Hex } from "viem";
import { shortString } from "starknet";
import { type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import {
  deployTokenBridge,
  FEE,
  type L1Contract,
  L1World,
  L2_BRIDGE,
  testToken,
  USER,
  withdrawalPayload,
} from "#test/helpers/l1-bridges.ts";

const LIES = {
  none: 0,
  creditsLess: 1,
  creditsMore: 2,
  debitsMore: 3,
  movesNothing: 4,
  returnsFalse: 5,
  callsBack: 6,
} as const;
const NOBODY = "0x0000000000000000000000000000000000000000";

let anvil: RunningAnvil;
let world: L1World;
let bridge: L1Contract;
let token: L1Contract;
let honest: L1Contract;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await L1World.deploy(anvil);
  const deployed = await deployTokenBridge(world, L2_BRIDGE);
  ({ bridge } = deployed);
  token = await world.testContract("LyingToken");
  honest = await testToken(world, bridge, 1000n);
  for (const { address } of [token, honest]) {
    await world.send(deployed.manager, "enrollTokenBridge", [address], { value: FEE });
  }
  await world.send(token, "mint", [USER.address, 10_000n]);
  await world.send(bridge, "deposit", [honest.address, 1000n, 7n], { by: USER, value: FEE });
}, 60_000);

afterAll(async () => {
  await anvil.stop();
});

const lie = (kind: keyof typeof LIES, target: Hex = NOBODY, data: Hex = "0x") =>
  world.send(token, "set", [LIES[kind], target, data]);
const args = (amount: bigint) => [token.address, amount, 7n];
const deposit = (amount: bigint) =>
  world.send(bridge, "deposit", args(amount), { by: USER, value: FEE });
const refusedDeposit = () => world.refusal(bridge, "deposit", args(10n), { by: USER, value: FEE });
const withdrawal = (amount: bigint) => [token.address, amount, USER.address];
const locked = ({ address }: L1Contract) => world.read<bigint>(bridge, "lockedAmount", address);
const held = ({ address, abi }: L1Contract) =>
  world.read<bigint>({ address, abi }, "balanceOf", bridge.address);
const allow = (amount: bigint, times = 1) =>
  world.update(
    bridge.address,
    Array.from({ length: times }, () => withdrawalPayload(token.address, amount, USER.address)),
  );

test("a token without return values works, and its name is truncated to 31 bytes on L2", async () => {
  await deposit(500n);
  expect(await locked(token)).toBe(500n);
  await allow(100n);
  await world.send(bridge, "withdraw", withdrawal(100n));
  expect(await held(token)).toBe(400n);
  const logs = await anvil.client.getLogs({ address: world.core.address, fromBlock: 0n });
  const payloads = world.messagesToL2({ logs }).map(({ payload }) => payload);
  expect(payloads).toContainEqual([
    BigInt(token.address),
    BigInt(shortString.encodeShortString("A name that is longer than the ")),
    BigInt(shortString.encodeShortString("LIE")),
    255n,
  ]);
});

describe("a deposit of a dishonest token", () => {
  test.each(["creditsLess", "creditsMore", "movesNothing"] as const)(
    "that %s is rejected",
    async (kind) => {
      await lie(kind);
      expect(await refusedDeposit()).toBe("INCORRECT_AMOUNT_TRANSFERRED");
    },
  );

  test("that returns false is rejected", async () => {
    await lie("returnsFalse");
    expect(await refusedDeposit()).toBe("SafeERC20FailedOperation");
  });
});

describe("a withdrawal of a dishonest token", () => {
  test("is rejected if it debits too much or returns false", async () => {
    await lie("none");
    await allow(50n);
    await lie("debitsMore");
    expect(await world.refusal(bridge, "withdraw", withdrawal(50n))).toBe(
      "INCORRECT_AMOUNT_TRANSFERRED",
    );
    await lie("returnsFalse");
    expect(await world.refusal(bridge, "withdraw", withdrawal(50n))).toBe(
      "SafeERC20FailedOperation",
    );
  });

  test("with a recipient fee debits its full amount", async () => {
    await lie("creditsLess");
    await world.send(bridge, "withdraw", withdrawal(50n));
    expect([await held(token), await locked(token)]).toEqual([350n, 350n]);
  });
});

describe("a re-entrant token", () => {
  const reentry = async (functionName: string, given: readonly unknown[]) => {
    await lie(
      "callsBack",
      bridge.address,
      encodeFunctionData({ abi: bridge.abi, functionName, args: given }),
    );
  };
  const outcome = async () => [
    await world.read<boolean>(token, "calledBack"),
    await world.read<boolean>(token, "succeeded"),
  ];

  test("cannot withdraw or deposit during a deposit or a withdrawal", async () => {
    await lie("none");
    await allow(20n, 2);
    await reentry("withdraw", withdrawal(20n));
    await deposit(30n);
    expect(await outcome()).toEqual([true, false]);
    expect(await locked(token)).toBe(380n);
    await world.send(bridge, "withdraw", withdrawal(20n));
    expect(await outcome()).toEqual([true, false]);
    await reentry("deposit", args(1n));
    await world.send(bridge, "withdraw", withdrawal(20n));
    expect(await outcome()).toEqual([true, false]);
    expect([await held(token), await locked(token)]).toEqual([340n, 340n]);
  });

  test("cannot change the locked amount of another token", () =>
    Promise.all([held(honest), locked(honest)]).then((amounts) =>
      expect(amounts).toEqual([1000n, 1000n]),
    ));
});
