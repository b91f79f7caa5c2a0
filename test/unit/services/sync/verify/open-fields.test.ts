import { describe, expect, test } from "bun:test";
import { at, checkBytes, diff, receipt } from "#test/helpers/change-block.ts";
import {
  bytesOf,
  type Changeable,
  ownBlock,
  type SampleBlock,
} from "#test/helpers/gateway-blocks.ts";

type Path = readonly (string | number)[];

/** Every primitive value of a JSON document. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((each, i) => leavesOf(each, [...path, i]));
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...path, name]));
}

/** Another value of the same form, with one bit or letter changed. */
function other(value: unknown): unknown {
  if (typeof value === "number") return value ^ 1;
  if (typeof value !== "string") throw new TypeError(`a ${typeof value}`);
  if (/^0x[0-9a-f]+$/iu.test(value)) return `0x${(BigInt(value) ^ 1n).toString(16)}`;
  const words: Readonly<Record<string, string>> = {
    ACCEPTED_ON_L2: "ACCEPTED_ON_L1",
    BLOB: "CALLDATA",
    CALLDATA: "BLOB",
    SUCCEEDED: "REVERTED",
    REVERTED: "SUCCEEDED",
  };
  return words[value] ?? `${value.slice(0, -1)}${value.endsWith("0") ? 1 : 0}`;
}

function changed(block: SampleBlock, path: Path): Changeable {
  const json = block.json();
  const last = path.at(-1) ?? "";
  let place = json;
  for (const name of path.slice(0, -1)) place = place[name] as Changeable;
  place[last] = other(place[last]);
  return json;
}

/** Paths, without indices, at which another value is accepted. */
async function openPlaces(block: SampleBlock): Promise<readonly string[]> {
  const open = new Set<string>();
  for (const path of leavesOf(block.json())) {
    const place = path.filter((part) => typeof part === "string").join(".");
    // One element is enough to show that a path is open.
    if (open.has(place)) continue;
    const outcome = await checkBytes(block, bytesOf(changed(block, path)));
    if (outcome.kind === "checked") open.add(place);
  }
  return [...open].sort();
}

const RECEIPT = "block.transaction_receipts";
const RESOURCES = `${RECEIPT}.execution_resources`;

/** Never part of a hash. */
const ALWAYS = [
  "block.status",
  // A declaration of version 0 has none; it is written, but not read.
  "block.transactions.nonce",
  `${RESOURCES}.builtin_instance_counter.pedersen_builtin`,
  `${RESOURCES}.data_availability.l1_data_gas`,
  `${RESOURCES}.n_memory_holes`,
  `${RESOURCES}.n_steps`,
  `${RESOURCES}.total_gas_consumed.l2_gas`,
  "state_update.old_root",
];

/** Receipts, prices and the version are part of the block hash since 0.13.2. */
const BEFORE_0_13_2 = [
  "block.l1_da_mode",
  "block.l1_data_gas_price.price_in_fri",
  "block.l1_data_gas_price.price_in_wei",
  "block.l1_gas_price.price_in_fri",
  "block.l1_gas_price.price_in_wei",
  "block.l2_gas_price.price_in_fri",
  "block.l2_gas_price.price_in_wei",
  "block.starknet_version",
  `${RECEIPT}.actual_fee`,
  `${RECEIPT}.execution_status`,
  `${RECEIPT}.l2_to_l1_messages.from_address`,
  `${RECEIPT}.l2_to_l1_messages.payload`,
  `${RECEIPT}.l2_to_l1_messages.to_address`,
  `${RECEIPT}.revert_error`,
  `${RESOURCES}.total_gas_consumed.l1_data_gas`,
  `${RESOURCES}.total_gas_consumed.l1_gas`,
];

/** From 0.13.4 on it is 0 if data is available in blobs. */
const DATA_L1_GAS = `${RESOURCES}.data_availability.l1_gas`;

describe("the fields that no hash covers are known completely", () => {
  for (const [version, more] of [
    ["0.14.4", []],
    ["0.13.4", []],
    ["0.13.2", [DATA_L1_GAS, "block.l2_gas_price.price_in_fri", "block.l2_gas_price.price_in_wei"]],
    ["0.13.0", [DATA_L1_GAS, ...BEFORE_0_13_2]],
  ] as const) {
    test(`in blocks of ${version}`, async () => {
      expect(await openPlaces(ownBlock(version))).toEqual([...ALWAYS, ...more].sort());
    });
  }
});

describe("lists hashed as one are left to the check against the previous state", () => {
  const isTaken = async (sample: SampleBlock, json: Changeable): Promise<boolean> =>
    (await checkBytes(sample, bytesOf(json))).kind === "checked";

  for (const [version, from, to] of [
    ["0.14.4", "deployed_contracts", "replaced_classes"],
    ["0.14.4", "declared_classes", "migrated_compiled_classes"],
    ["0.13.2", "replaced_classes", "deployed_contracts"],
  ] as const) {
    test(`${from} and ${to} of ${version}`, async () => {
      const sample = ownBlock(version);
      const json = sample.json();
      const moved = (at(json, diff(from)) as unknown[]).splice(0);
      (at(json, diff(to)) as unknown[]).push(...moved);
      expect(moved.length).toBeGreaterThan(0);
      expect(await isTaken(sample, json)).toBe(true);
    });
  }

  for (const [version, isOpen] of [
    ["0.13.0", true],
    ["0.13.2", false],
  ] as const) {
    test(`the receipt of an event, in ${version}: ${isOpen ? "open" : "covered"}`, async () => {
      const sample = ownBlock(version);
      const json = sample.json();
      const [event] = (at(json, receipt(0, "events")) as unknown[]).splice(-1);
      (at(json, receipt(1, "events")) as unknown[]).unshift(event);
      expect(await isTaken(sample, json)).toBe(isOpen);
    });
  }
});
