import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import type { StateDiffOutcome } from "#api/rpc/index.ts";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_applyStateDiff";

const nonceOf = (address: string) => ({ contract_address: address, nonce: "0x2" });
const storageOf = (address: string, ...keys: readonly string[]) => ({
  address,
  storage_entries: keys.map((key) => ({ key, value: "0x5" })),
});
const deployed = (address: string) => ({ address, class_hash: "0x1" });
const replaced = (address: string) => ({ contract_address: address, class_hash: "0x1" });
const declared = (hash: string) => ({ class_hash: hash, compiled_class_hash: "0x9" });

/** Every kind of change, each with two values. */
const FULL = {
  storage_diffs: [storageOf("0x20", "0x1", "0x2"), storageOf("0x21", "0x3")],
  nonces: [nonceOf("0x20"), nonceOf("0x21")],
  deployed_contracts: [deployed("0x30"), deployed("0x31")],
  replaced_classes: [replaced("0x40"), replaced("0x41")],
  declared_classes: [declared("0x50"), declared("0x51")],
  deprecated_declared_classes: ["0x60", "0x61"],
  migrated_compiled_classes: [],
} as const;

describe(METHOD, () => {
  test("sets all values of a state diff in one request", async () => {
    const { context, calls } = devnetWorld();
    expect(await askDevnet(METHOD, { state_diff: FULL }, context)).toEqual({
      result: { classes: [] },
    });
    expect(calls).toEqual([
      [
        "applyStateDiff",
        {
          storage: [
            { contractAddress: 0x20n, key: 1n, value: 5n },
            { contractAddress: 0x20n, key: 2n, value: 5n },
            { contractAddress: 0x21n, key: 3n, value: 5n },
          ],
          nonces: [
            { contractAddress: 0x20n, nonce: 2n },
            { contractAddress: 0x21n, nonce: 2n },
          ],
          deployed: [
            { contractAddress: 0x30n, classHash: 1n },
            { contractAddress: 0x31n, classHash: 1n },
          ],
          replaced: [
            { contractAddress: 0x40n, classHash: 1n },
            { contractAddress: 0x41n, classHash: 1n },
          ],
          declared: [
            { classHash: 0x50n, compiledClassHash: 9n },
            { classHash: 0x51n, compiledClassHash: 9n },
            { classHash: 0x60n, compiledClassHash: 0n },
            { classHash: 0x61n, compiledClassHash: 0n },
          ],
          onlyDeployed: true,
          classes: [],
        },
      ],
    ]);
  });

  test("returns the hashes of supplied classes, without a compiled one for Cairo 0", async () => {
    const classes = [
      { classHash: 1n, compiledClassHash: 2n },
      { classHash: 3n, compiledClassHash: 0n },
    ];
    const outcome: StateDiffOutcome = { kind: "applied", classes };
    const { context } = devnetWorld({ applyStateDiff: () => Promise.resolve(outcome) });
    expect(await askDevnet(METHOD, { state_diff: {} }, context)).toEqual({
      result: {
        classes: [{ class_hash: "0x1", compiled_class_hash: "0x2" }, { class_hash: "0x3" }],
      },
    });
  });

  // Form and rules: starknet-devnet 0.10.1, `ApplyStateDiffRequest`.
  test("names the wrong value by its path", async () => {
    const paths: readonly (readonly [JsonValue, string])[] = [
      [{}, "state_diff"],
      [{ state_diff: [] }, "state_diff"],
      [{ state_diff: {}, extra: 1 }, "extra"],
      [{ state_diff: { extra: [] } }, "state_diff.extra"],
      [{ state_diff: { nonces: {} } }, "state_diff.nonces"],
      [
        { state_diff: { nonces: [{ ...nonceOf("0x20"), extra: 1 }] } },
        "state_diff.nonces[0].extra",
      ],
      [{ state_diff: { nonces: [nonceOf("0x1")] } }, "state_diff.nonces[0].contract_address"],
      [
        { state_diff: { nonces: [nonceOf("0x20"), nonceOf("0x020")] } },
        "state_diff.nonces[1].contract_address",
      ],
      [
        { state_diff: { storage_diffs: [storageOf("0x20"), storageOf("0x20")] } },
        "state_diff.storage_diffs[1].address",
      ],
      [
        { state_diff: { storage_diffs: [storageOf("0x20", "0x1", "0x1")] } },
        "state_diff.storage_diffs[0].storage_entries[1].key",
      ],
      [
        { state_diff: { deployed_contracts: [deployed("0x0")] } },
        "state_diff.deployed_contracts[0].address",
      ],
      [
        { state_diff: { deployed_contracts: [deployed("0x20"), deployed("0x20")] } },
        "state_diff.deployed_contracts[1].address",
      ],
      [
        {
          state_diff: {
            deployed_contracts: [deployed("0x20")],
            replaced_classes: [replaced("0x20")],
          },
        },
        "state_diff.replaced_classes[0].contract_address",
      ],
      [
        { state_diff: { declared_classes: [declared("0x1"), declared("0x1")] } },
        "state_diff.declared_classes[1].class_hash",
      ],
      [
        { state_diff: { deprecated_declared_classes: ["0x1", "0x1"] } },
        "state_diff.deprecated_declared_classes[1]",
      ],
      [
        { state_diff: { migrated_compiled_classes: [declared("0x1")] } },
        "state_diff.migrated_compiled_classes",
      ],
      [{ state_diff: {}, classes: [{}] }, "classes[0].contract_class"],
      [
        { state_diff: {}, classes: [{ contract_class: { sierra_program: 5 } }] },
        "classes[0].contract_class.sierra_program",
      ],
    ];
    for (const [params, path] of paths) {
      const { context, calls } = devnetWorld();
      expect(await refusedPath(METHOD, params, context)).toBe(path);
      expect(calls).toEqual([]);
    }
  });

  test("names a value that does not fit the state by its path", async () => {
    const paths = [
      ["storage", 2, "state_diff.storage_diffs[1].address"],
      ["nonces", 1, "state_diff.nonces[1].contract_address"],
      ["deployed", 1, "state_diff.deployed_contracts[1].address"],
      ["replaced", 0, "state_diff.replaced_classes[0].contract_address"],
      ["declared", 1, "state_diff.declared_classes[1]"],
      ["declared", 3, "state_diff.deprecated_declared_classes[1]"],
      ["classes", 4, "classes[4]"],
    ] as const;
    for (const [member, index, path] of paths) {
      const at = [member, index] as const;
      const outcome: StateDiffOutcome = { kind: "refused", code: "value", at, reason: "wrong" };
      const { context } = devnetWorld({ applyStateDiff: () => Promise.resolve(outcome) });
      expect(await refusedPath(METHOD, { state_diff: FULL }, context)).toBe(path);
    }
  });

  test("has the errors of the specification for unknown contracts and classes", async () => {
    const codes = [
      ["contract", 20],
      ["class", 28],
      ["definition", 50],
    ] as const;
    for (const [code, expected] of codes) {
      const outcome: StateDiffOutcome = {
        kind: "refused",
        code,
        at: ["nonces", 0],
        reason: "unknown",
      };
      const { context } = devnetWorld({ applyStateDiff: () => Promise.resolve(outcome) });
      const answer = await askDevnet(METHOD, { state_diff: FULL }, context);
      expect(answer).toMatchObject({ error: { code: expected } });
    }
  });
});
