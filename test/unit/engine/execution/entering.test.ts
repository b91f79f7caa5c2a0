import { expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { BlockExecutor } from "#engine/execution/index.ts";
import type { EnteredCall } from "#engine/state/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER, STRK, transfer, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";

sharedTest("says to the state which entry point runs, with its depth and its caller", () => {
  const state = transferState();
  const entered: EnteredCall[] = [];
  const reader = Object.assign(state, { entering: (call: EnteredCall) => entered.push(call) });
  new BlockExecutor(createCairoVm(), reader, transferBlock()).execute(transfer(0n));
  const token = state.classHashAt(STRK);
  const account = state.classHashAt(SENDER);
  const rows = entered.map(({ depth, classHash, selector, contractAddress, callerAddress }) => [
    ...[depth, classHash, selector, contractAddress, callerAddress],
  ]);
  expect(rows).toEqual([
    [1, account, selectorFromName("__validate__"), SENDER, 0n],
    [1, account, selectorFromName("__execute__"), SENDER, 0n],
    [2, token, selectorFromName("transfer"), STRK, SENDER],
    [1, token, selectorFromName("transfer"), STRK, SENDER],
  ]);
});
