import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hash, shortString } from "starknet";
import { type Hex, pad } from "viem";
import { type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import {
  deployTokenBridge,
  FEE,
  GOVERNOR,
  type L1Contract,
  L1World,
  L2_BRIDGE,
  STRANGER,
  testToken,
  USER,
  withdrawalPayload,
} from "#test/helpers/l1-bridges.ts";

/** Topic of StarkGate's `TokenStatusBlocked(address)`, as its deployed registry logs it. */
const TOKEN_STATUS_BLOCKED = "0x8f41c4654c849cdf55aec592405d4ed6fcad4c16895633c4e8ff23bb4ebdd2a2";
const MOST = 2n ** 256n - 1n;
const STATUS = { unknown: 0, deactivated: 1, pending: 2, active: 3 } as const;
const PENDING_SECONDS = 5 * 24 * 3600;
const BLOCKED = "0x0000000000000000000000000000000000000001";
const NOBODY = "0x0000000000000000000000000000000000000000";

let anvil: RunningAnvil;
let world: L1World;
let bridge: L1Contract;
let manager: L1Contract;
let registry: L1Contract;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await L1World.deploy(anvil);
  ({ bridge, manager, registry } = await deployTokenBridge(world, L2_BRIDGE));
}, 60_000);

afterAll(async () => {
  await anvil.stop();
});

const newToken = () => testToken(world, bridge, MOST);
const enroll = ({ address }: L1Contract) =>
  world.send(manager, "enrollTokenBridge", [address], { by: STRANGER, value: FEE });
const refusedEnrolment = ({ address }: L1Contract) =>
  world.refusal(manager, "enrollTokenBridge", [address], { by: STRANGER, value: FEE });
const status = ({ address }: L1Contract) => world.read<number>(bridge, "getStatus", address);
const deposit = ({ address }: L1Contract, amount: bigint) =>
  world.send(bridge, "deposit", [address, amount, 7n], { by: USER, value: FEE });
const refusedDeposit = ({ address }: L1Contract, amount: bigint, value = FEE) =>
  world.refusal(bridge, "deposit", [address, amount, 7n], { by: USER, value });
const locked = ({ address }: L1Contract) => world.read<bigint>(bridge, "lockedAmount", address);

describe("enrolment of a token", () => {
  test("is open to anybody once, and requests its deployment on L2", async () => {
    const token = await newToken();
    expect(await refusedDeposit(token, 1n)).toBe("TOKEN_NOT_SERVICED");
    const [message] = world.messagesToL2(await enroll(token));
    if (message === undefined) throw new TypeError("no message");
    expect(message).toMatchObject({
      toAddress: L2_BRIDGE,
      selector: BigInt(hash.getSelectorFromName("handle_token_deployment")),
      payload: [
        BigInt(token.address),
        BigInt(shortString.encodeShortString("Test Token")),
        BigInt(shortString.encodeShortString("TST")),
        6n,
      ],
      fee: FEE,
    });
    expect(await refusedEnrolment(token)).toBe("TOKEN_ALREADY_ENROLLED");
    expect(await world.read<string>(registry, "getBridge", token.address)).toBe(bridge.address);
    expect(await world.read<string[]>(registry, "getWithdrawalBridges", token.address)).toEqual([
      bridge.address,
    ]);
    expect(await status(token)).toBe(STATUS.pending);
    await world.update(bridge.address, [], [message]);
    await deposit(token, 1n);
    expect(await status(token)).toBe(STATUS.active);
  });

  test("expires after 5 days without consumption by L2, and can be repeated", async () => {
    const token = await newToken();
    await enroll(token);
    await deposit(token, 5n);
    await world.wait(PENDING_SECONDS - 60);
    await world.send(bridge, "checkDeploymentStatus", [token.address]);
    expect(await status(token)).toBe(STATUS.pending);
    await world.wait(120);
    await world.send(bridge, "checkDeploymentStatus", [token.address]);
    expect(await status(token)).toBe(STATUS.unknown);
    expect(await world.read<string>(registry, "getBridge", token.address)).toBe(NOBODY);
    expect(await refusedDeposit(token, 1n)).toBe("TOKEN_NOT_SERVICED");
    expect(await locked(token)).toBe(5n);
    await enroll(token);
    expect(
      await world.read<string[]>(registry, "getWithdrawalBridges", token.address),
    ).toHaveLength(1);
    await deposit(token, 1n);
  });

  test("can resend the deployment of an enrolled token", async () => {
    const token = await newToken();
    const resend = () =>
      world.refusal(manager, "resendDeployment", [token.address], { value: FEE });
    expect(await resend()).toBe("TOKEN_NOT_SERVICED");
    const [first] = world.messagesToL2(await enroll(token));
    const again = await world.send(manager, "resendDeployment", [token.address], {
      by: STRANGER,
      value: FEE,
    });
    const [second] = world.messagesToL2(again);
    expect(second?.payload).toEqual(first?.payload ?? []);
    expect(second?.nonce).toBe((first?.nonce ?? 0n) + 1n);
  });

  test("can be blocked, and deposits deactivated, by the governor, but not withdrawals", async () => {
    const [token, other] = [await newToken(), await newToken()];
    const by = STRANGER;
    for (const name of ["deactivateToken", "blockToken"]) {
      expect(await world.refusal(manager, name, [token.address], { by })).toBe("ONLY_GOVERNANCE");
    }
    expect(await world.refusal(manager, "deactivateToken", [other.address])).toBe(
      "THIS_TOKEN_CANNOT_BE_DEACTIVATED",
    );
    const { logs } = await world.send(manager, "blockToken", [other.address]);
    const ofRegistry = logs.filter(({ address }) => address === registry.address.toLowerCase());
    expect(ofRegistry.map(({ topics }) => topics)).toEqual([
      [TOKEN_STATUS_BLOCKED, pad(other.address.toLowerCase() as Hex)],
    ]);
    expect(await refusedEnrolment(other)).toBe("CANNOT_DEPLOY_BRIDGE");
    await enroll(token);
    await deposit(token, 10n);
    expect(await world.refusal(manager, "blockToken", [token.address])).toBe(
      "CANNOT_BLOCK_TOKEN_IN_SERVICE",
    );
    await world.send(manager, "deactivateToken", [token.address]);
    expect(await status(token)).toBe(STATUS.deactivated);
    expect(await world.read<string>(registry, "getBridge", token.address)).toBe(BLOCKED);
    expect(await refusedEnrolment(token)).toBe("CANNOT_DEPLOY_BRIDGE");
    expect(await refusedDeposit(token, 1n)).toBe("TOKEN_NOT_SERVICED");
    await world.update(bridge.address, [withdrawalPayload(token.address, 10n, USER.address)]);
    await world.send(bridge, "withdraw", [token.address, 10n, USER.address]);
    expect(await locked(token)).toBe(0n);
  });

  test("is restricted to the manager at bridge and registry, which is set up once", async () => {
    const token = await newToken();
    for (const [contract, name, args] of [
      [bridge, "enrollToken", [token.address]],
      [bridge, "resendDeployment", [token.address]],
      [bridge, "deactivate", [token.address]],
      [registry, "enlistToken", [token.address, USER.address]],
      [registry, "blockToken", [token.address]],
    ] as const) {
      expect(await world.refusal(contract, name, args)).toBe("ONLY_MANAGER");
    }
    const args = [registry.address, bridge.address];
    expect(await world.refusal(manager, "initialize", args)).toBe("ALREADY_INITIALIZED");
    const fresh = await world.contract("TokenManager", [GOVERNOR.address]);
    expect(await world.refusal(fresh, "initialize", args, { by: STRANGER })).toBe(
      "ONLY_GOVERNANCE",
    );
    expect(await world.refusal(fresh, "enrollTokenBridge", [token.address])).toBe(
      "NOT_INITIALIZED",
    );
    expect(await world.refusal(registry, "selfRemove", [token.address])).toBe(
      "BRIDGE_MISMATCH_CANNOT_REMOVE_TOKEN",
    );
    expect(await refusedEnrolment({ ...token, address: USER.address })).not.toBe("taken");
  });
});

describe("token bridge amounts", () => {
  test("the largest amount can be deposited and withdrawn", async () => {
    const token = await newToken();
    await enroll(token);
    const [message] = world.messagesToL2(await deposit(token, MOST));
    const half = 2n ** 128n - 1n;
    expect(message?.payload).toEqual([BigInt(token.address), BigInt(USER.address), 7n, half, half]);
    expect(await refusedDeposit(token, 1n)).toBe("MAX_BALANCE_EXCEEDED");
    await world.update(bridge.address, [withdrawalPayload(token.address, MOST, STRANGER.address)]);
    await world.send(bridge, "withdraw", [token.address, MOST], { by: STRANGER });
    expect(await world.read<bigint>(token, "balanceOf", STRANGER.address)).toBe(MOST);
    expect(await locked(token)).toBe(0n);
  });

  test("a deposit is reclaimed without its fee", async () => {
    const token = await newToken();
    await enroll(token);
    const [message] = world.messagesToL2(await deposit(token, 8n));
    const args = [token.address, 8n, 7n, message?.nonce];
    await world.send(bridge, "depositCancelRequest", args, { by: USER });
    await world.wait(PENDING_SECONDS);
    await world.send(bridge, "depositReclaim", args, { by: USER });
    expect(await world.read<bigint>(token, "balanceOf", USER.address)).toBe(MOST);
    expect(await locked(token)).toBe(0n);
  });

  test("a message requires a fee", async () => {
    const token = await newToken();
    expect(await world.refusal(manager, "enrollTokenBridge", [token.address])).toBe(
      "L1_MSG_FEE_MUST_BE_GREATER_THAN_0",
    );
    await enroll(token);
    expect(await refusedDeposit(token, 1n, 0n)).toBe("L1_MSG_FEE_MUST_BE_GREATER_THAN_0");
  });
});
