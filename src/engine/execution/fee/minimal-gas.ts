import type { GasVector } from "#protocol/versions/index.ts";
import { emptyResources } from "../resources.ts";
import type { TransactionContext } from "../transaction/context.ts";
import { daGas } from "./data-availability.ts";
import { addKzgResources, osSteps } from "./os-resources.ts";
import type { TransactionShape } from "./shape.ts";
import { daWords } from "./state-changes.ts";
import { vmGas } from "./transaction-gas.ts";

/**
 * Gas that the bounds must allow before anything runs: the operating system's steps for the type, and the
 * minimum state changes (the sender's balance and nonce, plus its class for a deployment).
 */
export function minimalGas(context: TransactionContext, shape: TransactionShape): GasVector {
  const { block } = context;
  const changes = {
    storageUpdates: 1,
    classHashUpdates: shape.kind === "deployAccount" ? 1 : 0,
    compiledClassHashUpdates: 0,
    modifiedContracts: 1,
  };
  const os = emptyResources();
  addKzgResources(os, block, daWords(changes));
  const steps =
    osSteps(block.constants.osResources.transactions[shape.kind], shape.calldataLength) + os.steps;
  const vm = vmGas(block.constants, { steps, memoryHoles: 0, builtins: {} }, 0, context.gasMode);
  const da = daGas(changes, block.info.l1DaMode);
  return {
    l1Gas: vm.l1Gas + da.l1Gas,
    l1DataGas: da.l1DataGas,
    l2Gas: vm.l2Gas,
  };
}
