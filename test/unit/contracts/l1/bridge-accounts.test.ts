import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import {
  deployTokenBridge,
  FEE,
  type L1Contract,
  L1World,
  L2_BRIDGE,
  type LoggedMessage,
  testToken,
  USER,
  withdrawalPayload,
} from "#test/helpers/l1-bridges.ts";
import { assertProperty } from "#test/helpers/property.ts";

const CANCELLATION_SECONDS = 5 * 24 * 3600;
const FUNDS = 1_000_000n;

let anvil: RunningAnvil;
let world: L1World;
let manager: L1Contract;
let bridge: L1Contract;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await L1World.deploy(anvil);
  ({ manager, bridge } = await deployTokenBridge(world, L2_BRIDGE));
}, 60_000);

afterAll(async () => {
  await anvil.stop();
});

/** Amounts of one token by place; their sum is what the bridge holds. */
class Model {
  readonly token: L1Contract;
  minted = 0n;
  readonly deposits: { readonly amount: bigint; readonly message: LoggedMessage }[] = [];
  readonly withdrawals: bigint[] = [];

  constructor(token: L1Contract) {
    this.token = token;
  }

  get locked(): bigint {
    const underway = this.deposits.map(({ amount }) => amount);
    return [...underway, ...this.withdrawals].reduce((sum, amount) => sum + amount, this.minted);
  }
}

/** Executes a step if the state of the model allows it. */
type Step = (model: Model, amount: bigint) => Promise<void>;

const STEPS = {
  async deposit({ token, deposits }, amount) {
    const args = [token.address, amount, 7n];
    const receipt = await world.send(bridge, "deposit", args, { by: USER, value: FEE });
    for (const message of world.messagesToL2(receipt)) deposits.push({ amount, message });
  },
  async mint(model) {
    const deposit = model.deposits.shift();
    if (deposit === undefined) return;
    await world.update(bridge.address, [], [deposit.message]);
    model.minted += deposit.amount;
  },
  async burn(model, amount) {
    const burned = amount < model.minted ? amount : model.minted;
    if (burned === 0n) return;
    const payload = withdrawalPayload(model.token.address, burned, USER.address);
    await world.update(bridge.address, [payload]);
    model.minted -= burned;
    model.withdrawals.push(burned);
  },
  async withdraw({ token, withdrawals }) {
    const amount = withdrawals.pop();
    if (amount === undefined) return;
    await world.send(bridge, "withdraw", [token.address, amount, USER.address]);
  },
  async cancel({ token, deposits }) {
    const deposit = deposits.pop();
    if (deposit === undefined) return;
    const args = [token.address, deposit.amount, 7n, deposit.message.nonce];
    await world.send(bridge, "depositCancelRequest", args, { by: USER });
    await world.wait(CANCELLATION_SECONDS);
    await world.send(bridge, "depositReclaim", args, { by: USER });
  },
  async lie({ token, locked }, amount) {
    const wanted = locked + amount;
    const payload = withdrawalPayload(token.address, wanted, USER.address);
    await world.update(bridge.address, [payload]);
    const args = [token.address, wanted, USER.address];
    expect(await world.refusal(bridge, "withdraw", args)).toBe("AMOUNT_NOT_LOCKED");
  },
} satisfies Record<string, Step>;

const NAMES = Object.keys(STEPS) as (keyof typeof STEPS)[];

/** One step: its name, the index of the token, and the amount. */
const step = fc.tuple(fc.constantFrom(...NAMES), fc.nat({ max: 1 }), fc.bigInt(1n, 10_000n));

async function newModel(): Promise<Model> {
  const token = await testToken(world, bridge, FUNDS);
  const enrolled = await world.send(manager, "enrollTokenBridge", [token.address], { value: FEE });
  await world.update(bridge.address, [], world.messagesToL2(enrolled));
  return new Model(token);
}

test("the bridge holds what is on L2 or in flight, separately for each token", async () => {
  await assertProperty(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const models = [await newModel(), await newModel()];
      for (const [name, which, amount] of steps) {
        const model = models[which];
        if (model !== undefined) await STEPS[name](model, amount);
      }
      for (const { token, locked } of models) {
        const { address } = token;
        expect(await world.read<bigint>(bridge, "lockedAmount", address)).toBe(locked);
        expect(await world.read<bigint>(token, "balanceOf", bridge.address)).toBe(locked);
        expect(await world.read<bigint>(token, "balanceOf", USER.address)).toBe(FUNDS - locked);
      }
    }),
    { numRuns: 8, minRuns: 3 },
  );
}, 60_000);
