import { describe, expect } from "bun:test";
import { type Address, encodeAbiParameters, type Hex, keccak256, toHex } from "viem";
import { CORE_ABI, PROXY_ABI } from "#test/helpers/l1-core-abi.ts";
import {
  coreInitData,
  deployL1,
  postUpdate,
  TEST_CONFIG_HASH,
  TEST_PROGRAM_HASH,
} from "#test/helpers/l1-core.ts";
import { l1Address, L1Contract } from "#test/helpers/l1-contract.ts";
import { deployTestContract } from "#test/helpers/l1-test-contract.ts";
import { type CoreWorld, useCore } from "#test/helpers/use-core.ts";

const DELAY_SECONDS = 7n * 24n * 3600n;
const IMPLEMENTATION_SLOT = "0x177667240aeeea7e35eabe3a35e18306f336219e1386f7710a6bf8783f761b24";

// A later upgrade: no external initializer, and no initialization data.
const NO_DATA = toHex(0n, { size: 32 });

const WORDS = {
  programHash: 1n,
  aggregatorProgramHash: 2n,
  verifier: l1Address(2),
  configHash: 4n,
  root: 5n,
  number: 6n,
  hash: 7n,
};

const onL1 = useCore();

async function newProxy(
  { anvil }: CoreWorld,
  delaySeconds: bigint,
): Promise<readonly [L1Contract, L1Contract]> {
  const address = await deployL1(anvil, "Proxy", [delaySeconds]);
  return [new L1Contract(anvil, address, PROXY_ABI), new L1Contract(anvil, address, CORE_ABI)];
}

function upgradeHash(implementation: Address, data: Hex, finalize: boolean): Hex {
  const types = [{ type: "address" }, { type: "bytes" }, { type: "bool" }] as const;
  return keccak256(encodeAbiParameters(types, [implementation, data, finalize]));
}

describe("Proxy", () => {
  onL1("activates its first implementation immediately, with the announced data", async (world) => {
    const [proxy, core] = await newProxy(world, DELAY_SECONDS);
    const { implementation } = world.deployed;
    expect(await proxy.read("PROXY_VERSION")).toBe("3.0.2");
    expect(await proxy.read("implementation")).toBe(toHex(0n, { size: 20 }));
    expect(await core.refusal("stateRoot", [])).toBe("MISSING_IMPLEMENTATION");
    const args = [implementation, coreInitData(WORDS), false] as const;
    expect(await proxy.refusal("upgradeTo", args)).toBe("UNKNOWN_UPGRADE_INFORMATION");
    const [, initializer, finalize] = args;
    expect(await proxy.send("addImplementation", args)).toEqual([
      { eventName: "ImplementationAdded", args: { implementation, initializer, finalize } },
    ]);
    for (const other of [
      [implementation, coreInitData({ ...WORDS, root: 6n }), false],
      [implementation, coreInitData(WORDS), true],
      [world.deployed.verifier, coreInitData(WORDS), false],
    ]) {
      expect(await proxy.refusal("upgradeTo", other)).toBe("UNKNOWN_UPGRADE_INFORMATION");
    }
    const events = await proxy.send("upgradeTo", args);
    expect(events.map(({ eventName }) => eventName)).toEqual([
      "LogNewGovernorAccepted",
      "ImplementationUpgraded",
    ]);
    const names = ["programHash", "aggregatorProgramHash", "configHash", "stateRoot"];
    expect(await Promise.all(names.map((name) => core.read(name)))).toEqual([1n, 2n, 4n, 5n]);
    expect(await core.read("stateBlockNumber")).toBe(6n);
    expect(await core.read("stateBlockHash")).toBe(7n);
    const slot = await world.anvil.client.getStorageAt({
      address: proxy.address,
      slot: IMPLEMENTATION_SLOT,
    });
    expect(BigInt(slot ?? 0)).toBe(BigInt(implementation));
  });

  onL1("upgrades after its delay and not earlier, and keeps the state", async (world) => {
    const { anvil, deployed } = world;
    const [proxy, core] = await newProxy(world, DELAY_SECONDS);
    expect(await proxy.read("getUpgradeActivationDelay")).toBe(DELAY_SECONDS);
    const first = [deployed.implementation, coreInitData(WORDS), false] as const;
    await proxy.send("addImplementation", first);
    await proxy.send("upgradeTo", first);
    const next = await deployL1(anvil, "CoreContract", []);
    await proxy.send("addImplementation", [next, NO_DATA, false]);
    const { timestamp } = await anvil.client.getBlock();
    const enabled = timestamp + DELAY_SECONDS;
    expect(await proxy.read("enabledTime", upgradeHash(next, NO_DATA, false))).toBe(enabled);
    expect(await proxy.refusal("upgradeTo", [next, NO_DATA, false])).toBe(
      "UPGRADE_NOT_ENABLED_YET",
    );
    await anvil.client.setNextBlockTimestamp({ timestamp: enabled - 1n });
    await anvil.client.mine({ blocks: 1 });
    expect(await proxy.refusal("upgradeTo", [next, NO_DATA, false])).toBe(
      "UPGRADE_NOT_ENABLED_YET",
    );
    await anvil.client.setNextBlockTimestamp({ timestamp: enabled });
    await proxy.send("upgradeTo", [next, NO_DATA, false]);
    expect(await proxy.read("implementation")).toBe(next);
    expect(await core.read("stateBlockNumber")).toBe(6n);
    // The former implementation stays announced: it needs no new delay, but does not accept init
    // data.
    const back = [deployed.implementation, coreInitData(WORDS), false] as const;
    expect(await proxy.refusal("upgradeTo", back)).toBe("UNEXPECTED_INIT_DATA");
  });

  onL1("rejects an upgrade that was removed", async (world) => {
    const { proxy, deployed } = world;
    const args = [deployed.implementation, NO_DATA, false];
    expect(await proxy.refusal("removeImplementation", args)).toBe("UNKNOWN_UPGRADE_INFORMATION");
    await proxy.send("addImplementation", args);
    const [removed] = await proxy.send("removeImplementation", args);
    expect(removed?.eventName).toBe("ImplementationRemoved");
    expect(await proxy.refusal("upgradeTo", args)).toBe("UNKNOWN_UPGRADE_INFORMATION");
  });

  onL1("caps its delay at 180 days", async (world) => {
    const [proxy] = await newProxy(world, 2n ** 256n - 1n);
    expect(await proxy.read("getUpgradeActivationDelay")).toBe(180n * 24n * 3600n);
    await proxy.send("addImplementation", [world.deployed.implementation, NO_DATA, false]);
  });

  onL1("cannot be upgraded after a final implementation", async ({ proxy, deployed }) => {
    const args = [deployed.implementation, NO_DATA, true];
    await proxy.send("addImplementation", args);
    expect(await proxy.read("isNotFinalized")).toBe(true);
    const events = await proxy.send("upgradeTo", args);
    expect(events.map(({ eventName }) => eventName)).toEqual([
      "ImplementationUpgraded",
      "FinalizedImplementation",
    ]);
    expect(await proxy.read("isNotFinalized")).toBe(false);
    expect(await proxy.refusal("upgradeTo", args)).toBe("IMPLEMENTATION_FINALIZED");
  });

  onL1(
    "is restricted to its governors and rejects ETH without a call",
    async ({ proxy, deployed }) => {
      const args = [deployed.implementation, NO_DATA, false];
      for (const name of ["addImplementation", "upgradeTo", "removeImplementation"]) {
        expect(await proxy.refusal(name, args, { from: 1 })).toBe("ONLY_GOVERNANCE");
      }
      expect(await proxy.rawRefusal("0x", 1n)).toContain("CONTRACT_NOT_EXPECTED_TO_RECEIVE");
    },
  );

  onL1("only accepts contracts that report that they are not frozen", async (world) => {
    const { proxy, deployed } = world;
    expect(await proxy.refusal("addImplementation", [l1Address(1), NO_DATA, false])).toBe(
      "ADDRESS_NOT_CONTRACT",
    );
    const args = [deployed.verifier, NO_DATA, false];
    await proxy.send("addImplementation", args);
    expect(await proxy.refusal("upgradeTo", args)).not.toBe("no refusal");
    expect(await world.core.read("stateBlockNumber")).toBe(-1n);
  });
});

describe("Proxy with a frozen implementation", () => {
  const FROZEN = "0x01";

  onL1("rejects it", async (world) => {
    const [proxy] = await newProxy(world, 0n);
    const { address } = await deployTestContract(world.anvil, "Freezer");
    await proxy.send("addImplementation", [address, FROZEN, false]);
    expect(await proxy.refusal("upgradeTo", [address, FROZEN, false])).toBe(
      "NEW_IMPLEMENTATION_FROZEN",
    );
  });

  onL1("does not replace it, and is not affected by its storage writes", async (world) => {
    const [proxy] = await newProxy(world, 7n);
    const { address, abi } = await deployTestContract(world.anvil, "Freezer");
    await proxy.send("addImplementation", [address, "0x", false]);
    await proxy.send("upgradeTo", [address, "0x", false]);
    expect(await proxy.read("implementation")).toBe(address);
    expect(await proxy.read("proxyIsGovernor", l1Address(0))).toBe(true);
    expect(await proxy.read("proxyIsGovernor", l1Address(1))).toBe(false);
    expect(await proxy.read("getUpgradeActivationDelay")).toBe(7n);
    expect(await proxy.read("isNotFinalized")).toBe(true);
    await world.anvil.client.increaseTime({ seconds: 7 });
    await world.anvil.client.mine({ blocks: 1 });
    expect(await proxy.refusal("upgradeTo", [address, "0x", false])).toBe("no refusal");
    await new L1Contract(world.anvil, proxy.address, abi).send("freeze", []);
    expect(await proxy.refusal("upgradeTo", [address, "0x", false])).toBe("STATE_IS_FROZEN");
  });
});

describe("initialization of the core contract", () => {
  const refused = async (world: CoreWorld, data: Hex): Promise<string> => {
    const [proxy] = await newProxy(world, 0n);
    const args = [world.deployed.implementation, data, false];
    await proxy.send("addImplementation", args);
    return proxy.refusal("upgradeTo", args);
  };

  onL1("is possible only through an upgrade", async ({ core, proxy, deployed, anvil }) => {
    const data = coreInitData(WORDS);
    expect(await proxy.refusal("initialize", [data], { from: 1 })).toBe("CANNOT_CALL_INITIALIZE");
    expect(await core.refusal("initialize", [data])).toBe("CANNOT_CALL_INITIALIZE");
    const bare = new L1Contract(anvil, deployed.implementation, CORE_ABI);
    expect(await bare.refusal("initialize", [data])).toBe("DIRECT_CALL_DISALLOWED");
    expect(await bare.refusal("registerOperator", [l1Address(0)])).toBe("ONLY_GOVERNANCE");
  });

  onL1("requires all words and a program", async (world) => {
    const whole = coreInitData(WORDS);
    expect(await refused(world, whole)).toBe("no refusal");
    expect(await refused(world, "0x")).toBe("INIT_DATA_TOO_SMALL");
    expect(await refused(world, toHex(0n, { size: 31 }))).toBe("INIT_DATA_TOO_SMALL");
    expect(await refused(world, NO_DATA)).toBe("ILLEGAL_INIT_DATA_SIZE");
    expect(await refused(world, whole.slice(0, -64) as Hex)).toBe("ILLEGAL_INIT_DATA_SIZE");
    expect(await refused(world, `${whole}${NO_DATA.slice(2)}`)).toBe("ILLEGAL_INIT_DATA_SIZE");
    expect(await refused(world, coreInitData({ ...WORDS, programHash: 0n }))).toBe(
      "BAD_INITIALIZATION",
    );
  });

  onL1("by an external initializer requires a contract", async (world) => {
    const account = toHex(BigInt(l1Address(1)), { size: 32 });
    expect(await refused(world, account)).toBe("EIC_NOT_A_CONTRACT");
    expect(await refused(world, toHex(2n ** 160n, { size: 32 }))).toBe("EIC_NOT_A_CONTRACT");
  });

  onL1(
    "by an external initializer runs on the proxy's storage instead of the contract's own",
    async (world) => {
      const { proxy, core, deployed, anvil } = world;
      const { address } = await deployTestContract(anvil, "Initializer");
      const initializer = toHex(BigInt(address), { size: 32 });
      const data = (word: Hex): Hex => `${initializer}${word.slice(2)}`;
      const good = data(toHex(99n, { size: 32 }));
      for (const given of [good, data("0x01")]) {
        await proxy.send("addImplementation", [deployed.implementation, given, false]);
      }
      expect(await proxy.refusal("upgradeTo", [deployed.implementation, data("0x01"), false])).toBe(
        "ONE_WORD",
      );
      await proxy.send("upgradeTo", [deployed.implementation, good, false]);
      expect(await proxy.read("getUpgradeActivationDelay")).toBe(99n);
      expect(await core.read("programHash")).toBe(TEST_PROGRAM_HASH);
      expect(await core.read("starknetIsGovernor", l1Address(0))).toBe(true);
    },
  );

  onL1("by an external initializer fails with its reason", async (world) => {
    // The proxy itself is a contract whose `initialize` fails.
    const initializer = toHex(BigInt(world.deployed.address), { size: 32 });
    expect(await refused(world, initializer)).toBe("CANNOT_CALL_INITIALIZE");
  });

  onL1("starts at any block number", async (world) => {
    const [proxy, core] = await newProxy(world, 0n);
    const words = {
      ...WORDS,
      programHash: TEST_PROGRAM_HASH,
      configHash: TEST_CONFIG_HASH,
      verifier: world.deployed.verifier,
      number: 41n,
    };
    const args = [world.deployed.implementation, coreInitData(words), false];
    await proxy.send("addImplementation", args);
    await proxy.send("upgradeTo", args);
    await core.send("registerOperator", [l1Address(0)]);
    const deployed = { ...world.deployed, address: proxy.address };
    const update = {
      previous: { root: 5n, number: 41n, hash: 7n },
      next: { root: 8n, number: 42n, hash: 9n },
      toL1: [],
      toL2: [],
    };
    await postUpdate(world.anvil, deployed, update);
    expect(await core.read("stateBlockNumber")).toBe(42n);
  });
});
