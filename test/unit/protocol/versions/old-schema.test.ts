import { describe, expect, test } from "bun:test";
import { BUILT_IN_CONSTANTS, readPublicConstants } from "#protocol/versions/index.ts";
import { resolveConstants } from "#protocol/versions/resolve.ts";
import { DecodeError } from "#base/errors/index.ts";

const none = { n_steps: 0, n_memory_holes: 0, builtin_instance_counter: {} };

/** A small file of the old schema; the gas values are those of the public 0.13.2 file. */
function oldFile(): Record<string, unknown> {
  const transaction = {
    deprecated_resources: {
      constant: { ...none, n_steps: 3763, builtin_instance_counter: { pedersen_builtin: 14 } },
      calldata_factor: { ...none, n_steps: 8, builtin_instance_counter: { pedersen_builtin: 1 } },
    },
    resources: { constant: { ...none, n_steps: 1 }, calldata_factor: none },
  };
  return {
    gateway: { max_calldata_length: 5000, max_contract_bytecode_size: 81920 },
    invoke_tx_max_n_steps: 10000000,
    validate_max_n_steps: 1000000,
    max_recursion_depth: 50,
    l2_resource_gas_costs: {
      gas_per_data_felt: [128, 1000],
      event_key_factor: [2, 1],
      gas_per_code_byte: [875, 1000],
    },
    os_constants: {
      block_hash_contract_address: 1,
      stored_block_hash_buffer: 10,
      // Defined before the constants they refer to: order must not matter.
      library_call_gas_cost: { call_contract_gas_cost: 1 },
      call_contract_gas_cost: {
        entry_point_gas_cost: 1,
        step_gas_cost: 10,
        syscall_base_gas_cost: 1,
      },
      entry_point_gas_cost: { entry_point_initial_budget: 1, step_gas_cost: 500 },
      deploy_gas_cost: { entry_point_gas_cost: 1, step_gas_cost: 200, syscall_base_gas_cost: 1 },
      storage_read_gas_cost: { step_gas_cost: 50, syscall_base_gas_cost: 1 },
      keccak_round_cost_gas_cost: 180000,
      keccak_gas_cost: { syscall_base_gas_cost: 1 },
      sha256_process_block_gas_cost: {
        step_gas_cost: 1852,
        range_check_gas_cost: 65,
        bitwise_builtin_gas_cost: 1115,
        syscall_base_gas_cost: 1,
      },
      entry_point_initial_budget: { step_gas_cost: 100 },
      syscall_base_gas_cost: { step_gas_cost: 100 },
      initial_gas_cost: { step_gas_cost: 100000000 },
      step_gas_cost: 100,
      memory_hole_gas_cost: 10,
      range_check_gas_cost: 70,
      bitwise_builtin_gas_cost: 594,
      validated: "VALID",
      default_entry_point_selector: 0,
      validate_rounding_consts: {
        validate_block_number_rounding: 100,
        validate_timestamp_rounding: 3600,
      },
    },
    os_resources: {
      execute_syscalls: {
        Keccak: {
          n_steps: 381,
          n_memory_holes: 0,
          builtin_instance_counter: { keccak_builtin: 1, bitwise_builtin: 6 },
        },
      },
      execute_txs_inner: {
        Declare: transaction,
        DeployAccount: transaction,
        InvokeFunction: transaction,
        L1Handler: transaction,
      },
    },
    vm_resource_fee_cost: { n_steps: [25, 10000], pedersen_builtin: [8, 100] },
  };
}

const read = (file: unknown) => resolveConstants("0.13.2", readPublicConstants(file));

describe("old schema of constants files", () => {
  test("resolves linear combinations in any order", () => {
    const { os, syscallGasCosts } = read(oldFile());
    expect([os.syscallBaseGasCost, os.entryPointInitialBudget, os.defaultInitialGasCost]).toEqual([
      10_000n,
      10_000n,
      10_000_000_000n,
    ]);
    expect(syscallGasCosts.Sha256ProcessBlock.base).toBe(862_060n);
    expect(syscallGasCosts.StorageRead.base).toBe(15_000n);
    expect(syscallGasCosts.KeccakRound.base).toBe(180_000n);
  });

  test("excludes the callee's budget from calls, as the built-in constants do", () => {
    const { syscallGasCosts } = read(oldFile());
    const builtIn = BUILT_IN_CONSTANTS.at("0.13.2").syscallGasCosts;
    for (const name of ["CallContract", "LibraryCall", "Deploy"] as const) {
      expect(syscallGasCosts[name]).toEqual(builtIn[name]);
    }
  });

  test("prices archival data like the built-in constants, in both modes", () => {
    const { l1GasMode, l2GasMode } = read(oldFile()).archivalDataGasCosts;
    const builtIn = BUILT_IN_CONSTANTS.at("0.13.2").archivalDataGasCosts;
    expect(l1GasMode).toEqual(builtIn.l1GasMode);
    expect(l2GasMode).toEqual(builtIn.l2GasMode);
  });

  test("counts keccak per round", () => {
    const { syscalls } = read(oldFile()).osResources;
    expect(syscalls.Keccak.constant.steps).toBe(0);
    expect(syscalls.KeccakRound.constant).toEqual({
      steps: 381,
      memoryHoles: 0,
      builtins: { keccak: 1, bitwise: 6 },
    });
  });

  test("uses the deprecated resources of a transaction", () => {
    expect(read(oldFile()).osResources.transactions.invoke).toEqual({
      constant: { steps: 3763, memoryHoles: 0, builtins: { pedersen: 14 } },
      perCalldata: { steps: 8, memoryHoles: 0, builtins: { pedersen: 1 } },
      calldataScale: 1,
    });
  });

  test("uses the era's defaults for missing values", () => {
    const constants = read(oldFile());
    expect(constants.flags.segmentArenaCells).toBe(true);
    expect(constants.flags.enableReverts).toBe(false);
    expect(constants.txEventLimits.maxEmittedEvents).toBe(1_000_000_000);
    expect(constants.minSierraVersionForSierraGas).toEqual([100, 0, 0]);
  });

  test("rejects cycles, unknown members and different values of built-in constants", () => {
    const changes: readonly [string, Record<string, unknown>, string][] = [
      [
        "cycle",
        { step_gas_cost: { memory_hole_gas_cost: 1 }, memory_hole_gas_cost: { step_gas_cost: 1 } },
        "step_gas_cost",
      ],
      ["unknown", { steps_gas_cost: 1 }, "os_constants.steps_gas_cost"],
      ["built in", { validated: "OK" }, "os_constants.validated"],
    ];
    for (const [, change, path] of changes) {
      const file = oldFile();
      Object.assign(file["os_constants"] as object, change);
      const error = (() => {
        try {
          read(file);
        } catch (caught) {
          return caught;
        }
        return undefined;
      })();
      expect(error).toBeInstanceOf(DecodeError);
      expect((error as DecodeError).path).toContain(path);
    }
  });
});
