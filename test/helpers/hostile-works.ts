import { selectorFromName } from "#protocol/crypto/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { calldataFor, type Deployed } from "../contracts/hostile/arguments.ts";
import { OPERATIONS, record } from "../contracts/hostile/contract.ts";
import { hostileClass } from "./hostile-class.ts";
import { HOSTILE_ACCOUNTS, type HostileWay } from "./hostile-config.ts";

/** More rounds than any gas limit pays for. */
const ENDLESS = 2n ** 40n;

/** Maximum felts of a call's return value, in one piece. */
const LONG_RETURN = 80_000;

/** Work for the hostile contract: a name and the calldata that requests it. */
export interface HostileWork {
  readonly name: string;
  readonly calldata: readonly Felt[];
}

/** Operations that `count` limits in addition to gas: the maximum of the machine's formats. */
const BOUNDED: Readonly<Record<string, number>> = {
  return_data: LONG_RETURN,
  panic_data: LONG_RETURN,
  return_tail: 4_000,
  panic_with_tail: 4_000,
};

/**
 * Returns the works for a way of running the hostile contract: every operation until its gas is
 * used up, and calls that pass long data around.
 */
export function hostileWorks(way: HostileWay): readonly HostileWork[] {
  const deployed: Deployed = {
    address: HOSTILE_ACCOUNTS[way],
    classHash: hostileClass.classHash,
  };
  const run = { a: deployed.address, b: selectorFromName("run"), count: ENDLESS };
  const single = OPERATIONS.map((name) => {
    const [operation = 0n, , ...rest] = calldataFor(name, BOUNDED[name] ?? 1, deployed);
    return { name, calldata: [operation, BigInt(BOUNDED[name] ?? ENDLESS), ...rest] };
  });
  const longReturns = record("return_data", { count: LONG_RETURN });
  const endlessCalls = [...record("call_contract", run), ...record("steps", { count: 0 })];
  return [
    ...single,
    {
      name: "calls with long results",
      calldata: [...record("call_contract", run), ...longReturns],
    },
    {
      name: "calls with long calldata",
      calldata: [
        ...record("call_contract", run),
        ...record("steps", { count: 0 }),
        ...Array.from({ length: 4_000 }, (_, i) => BigInt(i)),
      ],
    },
    {
      name: "failing calls with long panics",
      calldata: [
        ...record("call_contract_ignoring", run),
        ...record("panic_data", { count: LONG_RETURN }),
      ],
    },
    { name: "calls of calls", calldata: [...record("call_contract", run), ...endlessCalls] },
  ];
}
