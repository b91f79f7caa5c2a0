import { bench, run } from "mitata";
import { createCairoVm } from "#engine/cairo/index.ts";
import {
  BlockExecutor,
  type PrevalidatedCall,
  validateTransaction,
} from "#engine/execution/index.ts";
import { SHARED } from "../helpers/shared.ts";
import { transfer, transferBlock } from "../helpers/transfer-chain.ts";
import { transferState } from "../helpers/transfer-state.ts";

/**
 * Execution of ERC-20 transfers to fresh recipients, one block per run: times per block. Run with
 * `TRANSFERS=200 bun test/bench/execution.bench.ts`.
 */
const count = Number(process.env["TRANSFERS"] ?? 200);

if (SHARED === undefined) {
  process.stderr.write("The benchmark needs ../shared/fixtures.\n");
} else {
  const vm = createCairoVm();
  const state = transferState();
  const signed = Array.from({ length: count }, (_, i) => transfer(BigInt(i)));
  const validations = signed.map((transaction): PrevalidatedCall | undefined => {
    const outcome = validateTransaction(vm, state, transferBlock(), transaction);
    return outcome.kind === "valid" ? outcome.prevalidated : undefined;
  });
  const executeAll = (flags: { validate: boolean }, reuse = false): bigint => {
    const executor = new BlockExecutor(vm, state, transferBlock());
    for (const [index, transaction] of signed.entries()) {
      const prevalidated = reuse ? validations[index] : undefined;
      const outcome = executor.execute(transaction, flags, undefined, prevalidated);
      if (outcome.kind !== "included" || outcome.info.revertReason !== null) {
        throw new TypeError("A transfer was not executed.");
      }
    }
    return executor.weights().transactionCount;
  };
  bench(`${count} ERC-20 transfers, validated and executed`, () => executeAll({ validate: true }));
  bench(`${count} ERC-20 transfers, validation reused`, () => executeAll({ validate: true }, true));
  bench(`${count} ERC-20 transfers, executed only`, () => executeAll({ validate: false }));
  await run();
}
