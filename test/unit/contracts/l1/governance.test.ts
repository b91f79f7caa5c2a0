import { describe, expect } from "bun:test";
import { keccak256, toHex } from "viem";
import { L1_ACCOUNTS, type L1Contract } from "#test/helpers/l1-contract.ts";
import { type CoreWorld, useCore } from "#test/helpers/use-core.ts";

const ZERO = toHex(0n, { size: 20 });
const [FIRST, SECOND, THIRD] = L1_ACCOUNTS.map(({ address }) => address);

const onL1 = useCore();

/** The same rules exist twice at one address, under two names and independent of each other. */
const OFFICES: readonly (readonly [
  string,
  (world: CoreWorld) => readonly [L1Contract, L1Contract],
])[] = [
  ["starknet", ({ core, proxy }) => [core, proxy]],
  ["proxy", ({ core, proxy }) => [proxy, core]],
];

describe.each(OFFICES)("%s governance", (prefix, contractsOf) => {
  const other = prefix === "proxy" ? "starknet" : "proxy";
  const nominate = `${prefix}NominateNewGovernor`;
  const accept = `${prefix}AcceptGovernance`;
  const remove = `${prefix}RemoveGovernor`;
  const cancel = `${prefix}CancelNomination`;
  const isGovernor = `${prefix}IsGovernor`;

  onL1("is transferred by nomination, acceptance and removal", async (world) => {
    const [contract, otherContract] = contractsOf(world);
    expect(await contract.read(isGovernor, FIRST)).toBe(true);
    expect(await contract.send(nominate, [SECOND])).toEqual([
      { eventName: "LogNominatedGovernor", args: { nominatedGovernor: SECOND } },
    ]);
    expect(await contract.read(isGovernor, SECOND)).toBe(false);
    expect(await contract.refusal(accept, [], { from: 2 })).toBe("ONLY_CANDIDATE_GOVERNOR");
    expect(await contract.send(accept, [], { from: 1 })).toEqual([
      { eventName: "LogNewGovernorAccepted", args: { acceptedGovernor: SECOND } },
    ]);
    expect(await contract.refusal(accept, [], { from: 1 })).toBe("ONLY_CANDIDATE_GOVERNOR");
    expect(await contract.send(remove, [FIRST], { from: 1 })).toEqual([
      { eventName: "LogRemovedGovernor", args: { removedGovernor: FIRST } },
    ]);
    expect(await contract.read(isGovernor, FIRST)).toBe(false);
    expect(await contract.read(isGovernor, SECOND)).toBe(true);
    expect(await contract.refusal(nominate, [THIRD])).toBe("ONLY_GOVERNANCE");
    expect(await otherContract.read(`${other}IsGovernor`, FIRST)).toBe(true);
    expect(await otherContract.read(`${other}IsGovernor`, SECOND)).toBe(false);
  });

  onL1("is restricted to governors", async (world) => {
    const [contract] = contractsOf(world);
    for (const [name, args] of [
      [nominate, [THIRD]],
      [remove, [FIRST]],
      [cancel, []],
    ] as const) {
      expect(await contract.refusal(name, args, { from: 1 })).toBe("ONLY_GOVERNANCE");
    }
    expect(await contract.refusal(accept, [], { from: 1 })).toBe("ONLY_CANDIDATE_GOVERNOR");
  });

  onL1("has at most one candidate, who is not a governor yet", async (world) => {
    const [contract] = contractsOf(world);
    expect(await contract.refusal(nominate, [ZERO])).toBe("BAD_ADDRESS");
    expect(await contract.refusal(nominate, [FIRST])).toBe("ALREADY_GOVERNOR");
    expect(await contract.send(cancel, [])).toEqual([]);
    await contract.send(nominate, [SECOND]);
    expect(await contract.refusal(nominate, [THIRD])).toBe("OTHER_CANDIDATE_PENDING");
    expect(await contract.send(cancel, [])).toEqual([
      { eventName: "LogNominationCancelled", args: {} },
    ]);
    expect(await contract.refusal(accept, [], { from: 1 })).toBe("ONLY_CANDIDATE_GOVERNOR");
    await contract.send(nominate, [THIRD]);
    await contract.send(accept, [], { from: 2 });
  });

  onL1("cannot end: governors cannot remove themselves or non-governors", async (world) => {
    const [contract] = contractsOf(world);
    expect(await contract.refusal(remove, [FIRST])).toBe("GOVERNOR_SELF_REMOVE");
    expect(await contract.refusal(remove, [SECOND])).toBe("NOT_GOVERNOR");
  });
});

describe("core contract settings", () => {
  const settings = [
    ["setProgramHash", [5n]],
    ["setAggregatorProgramHash", [5n]],
    ["setConfigHash", [5n]],
    ["setMessageCancellationDelay", [5n]],
  ] as const;

  onL1("are restricted to governors", async ({ core }) => {
    for (const [name, args] of [
      ...settings,
      ["setFeeCollectionAddress", [FIRST]],
      ["finalize", []],
      ["registerOperator", [SECOND]],
      ["unregisterOperator", [FIRST]],
    ] as const) {
      expect([name, await core.refusal(name, args, { from: 1 })]).toEqual([
        name,
        "ONLY_GOVERNANCE",
      ]);
    }
  });

  onL1("are stored and emit their changes", async ({ core }) => {
    const before = await core.read("configHash");
    expect(await core.send("setConfigHash", [5n])).toEqual([
      {
        eventName: "ConfigHashChanged",
        args: { changedBy: FIRST, oldConfigHash: before, newConfigHash: 5n },
      },
    ]);
    const [program] = await core.send("setProgramHash", [6n]);
    expect(program).toMatchObject({
      eventName: "ProgramHashChanged",
      args: { newProgramHash: 6n },
    });
    expect(await core.send("setAggregatorProgramHash", [7n])).toEqual([
      {
        eventName: "AggregatorProgramHashChanged",
        args: { changedBy: FIRST, oldAggregatorProgramHash: 0n, newAggregatorProgramHash: 7n },
      },
    ]);
    await core.send("setMessageCancellationDelay", [8n]);
    await core.send("setFeeCollectionAddress", [THIRD]);
    const names = [
      "configHash",
      "programHash",
      "aggregatorProgramHash",
      "messageCancellationDelay",
    ];
    expect(await Promise.all(names.map((name) => core.read(name)))).toEqual([5n, 6n, 7n, 8n]);
    expect(await core.read("feeCollector")).toBe(THIRD);
  });

  onL1("are immutable once finalized, except for operators", async ({ core }) => {
    expect(await core.read("isFinalized")).toBe(false);
    expect(await core.send("finalize", [])).toEqual([{ eventName: "Finalized", args: {} }]);
    expect(await core.read("isFinalized")).toBe(true);
    for (const [name, args] of [...settings, ["finalize", []]] as const) {
      expect([name, await core.refusal(name, args)]).toEqual([name, "FINALIZED"]);
    }
    await core.send("registerOperator", [SECOND]);
  });

  onL1("add and remove operators immediately", async ({ core }) => {
    expect(await core.read("isOperator", SECOND)).toBe(false);
    expect(await core.send("registerOperator", [SECOND])).toEqual([
      { eventName: "LogOperatorAdded", args: { operator: SECOND } },
    ]);
    expect(await core.send("registerOperator", [SECOND])).toEqual([]);
    expect(await core.read("isOperator", SECOND)).toBe(true);
    expect(await core.send("unregisterOperator", [SECOND])).toEqual([
      { eventName: "LogOperatorRemoved", args: { operator: SECOND } },
    ]);
    expect(await core.send("unregisterOperator", [SECOND])).toEqual([]);
    expect(await core.read("isOperator", SECOND)).toBe(false);
  });

  onL1("reject a fee collector that does not accept ETH", async ({ core, deployed }) => {
    // A proxy rejects ETH without a call.
    expect(await core.refusal("setFeeCollectionAddress", [deployed.address])).toBe(
      "ADDRESS_DOES_NOT_ACCEPT_ETH",
    );
  });
});

describe("MockVerifier", () => {
  const fact = keccak256("0x");

  onL1("accepts facts of its operators only", async ({ verifier }) => {
    expect(await verifier.refusal("registerFact", [fact], { from: 1 })).toBe("ONLY_OPERATOR");
    expect(await verifier.refusal("registerOperator", [SECOND], { from: 1 })).toBe(
      "ONLY_GOVERNANCE",
    );
    expect(await verifier.refusal("unregisterOperator", [FIRST], { from: 1 })).toBe(
      "ONLY_GOVERNANCE",
    );
    expect(await verifier.read("isValid", fact)).toBe(false);
    await verifier.send("registerOperator", [SECOND]);
    await verifier.send("registerFact", [fact], { from: 1 });
    expect(await verifier.read("isValid", fact)).toBe(true);
    await verifier.send("unregisterOperator", [SECOND]);
    expect(await verifier.refusal("registerFact", [fact], { from: 1 })).toBe("ONLY_OPERATOR");
  });
});
