import {
  type BlockCapacity,
  BOUNCER_BUILTIN_NAMES,
  type BouncerBuiltinName,
  type BouncerConfig,
  BUILTIN_WEIGHT_NAMES,
  type BuiltinWeightName,
} from "./chain-config.ts";
import { bouncerShape, refuseOtherShape } from "./bouncer-shape.ts";
import { shapeField } from "./collection-fields.ts";
import {
  type Field,
  type Member,
  type MembersOf,
  optional,
  required,
  section,
  shapesOf,
} from "./field.ts";
import { bigintField, U64_MAX } from "./scalar-fields.ts";

const weight = bigintField();

/** A limit of 0 is refused: a block could then never hold a transaction. */
const amount = bigintField(1n);

const NO_BUILTIN_LIMITS = Object.fromEntries(
  BOUNCER_BUILTIN_NAMES.map((name) => [name, U64_MAX]),
) as Record<BouncerBuiltinName, bigint>;

const UNLIMITED: BlockCapacity = {
  l1Gas: U64_MAX,
  steps: U64_MAX,
  builtins: NO_BUILTIN_LIMITS,
  sierraGas: U64_MAX,
  provingGas: U64_MAX,
  receiptL2Gas: U64_MAX,
  transactions: U64_MAX,
  messageSegmentLength: U64_MAX,
  events: U64_MAX,
  stateDiffSize: U64_MAX,
};

/** Proving gas per builtin instance on the public networks (source: Madara's presets). */
export const DEFAULT_BUILTIN_WEIGHTS: Readonly<Record<BuiltinWeightName, bigint>> = {
  pedersen: 3000n,
  range_check: 90n,
  ecdsa: 2_000_000n,
  ecop: 857_850n,
  bitwise: 583n,
  keccak: 600_000n,
  poseidon: 10_000n,
  add_mod: 2000n,
  mul_mod: 2000n,
  range_check96: 179n,
  blake: 3334n,
};

/** Capacity of the current public networks (source: Madara's presets). */
export const DEFAULT_BOUNCER: BouncerConfig = {
  shape: "sierra_gas",
  capacity: {
    ...UNLIMITED,
    l1Gas: 2_500_000n,
    sierraGas: 5_000_000_000n,
    provingGas: 5_000_000_000n,
    receiptL2Gas: 5_800_000_000n,
    transactions: 600n,
    messageSegmentLength: 3700n,
    events: 5000n,
    stateDiffSize: 4000n,
  },
  builtinWeights: DEFAULT_BUILTIN_WEIGHTS,
};

/** Creates one member per name, all with the same field. */
function eachOf<N extends string>(
  names: readonly N[],
  field: Field<bigint>,
  fallbacks: Readonly<Record<N, bigint>>,
): MembersOf<Readonly<Record<N, bigint>>> {
  return Object.fromEntries(
    names.map((name) => [name, optional(name, field, fallbacks[name])]),
  ) as unknown as MembersOf<Readonly<Record<N, bigint>>>;
}

type StepsCapacity = Pick<
  BlockCapacity,
  "l1Gas" | "steps" | "builtins" | "messageSegmentLength" | "events" | "stateDiffSize"
>;

const stepsCapacity = section<StepsCapacity>("the limits of a block", {
  builtins: optional(
    "builtin_count",
    section("limits per builtin", eachOf(BOUNCER_BUILTIN_NAMES, amount, NO_BUILTIN_LIMITS)),
    NO_BUILTIN_LIMITS,
  ),
  l1Gas: required("gas", amount),
  steps: required("n_steps", amount),
  messageSegmentLength: optional("message_segment_length", amount, U64_MAX),
  events: optional("n_events", amount, U64_MAX),
  stateDiffSize: required("state_diff_size", amount),
});

type GasCapacity = Omit<BlockCapacity, "steps" | "builtins">;

const current = DEFAULT_BOUNCER.capacity;
const limit = (name: string, fallback: bigint): Member<bigint> => optional(name, amount, fallback);

const gasCapacity = section<GasCapacity>("the limits of a block", {
  sierraGas: limit("sierra_gas", current.sierraGas),
  messageSegmentLength: limit("message_segment_length", current.messageSegmentLength),
  events: limit("n_events", current.events),
  stateDiffSize: limit("state_diff_size", current.stateDiffSize),
  l1Gas: limit("l1_gas", current.l1Gas),
  transactions: limit("n_txs", current.transactions),
  provingGas: limit("proving_gas", current.provingGas),
  receiptL2Gas: limit("receipt_l2_gas", current.receiptL2Gas),
});

/** Adds the limits that a shape lacks when reading, and removes them when writing. */
function withAllLimits<T extends Partial<BlockCapacity>>(field: Field<T>): Field<BlockCapacity> {
  return {
    describe: field.describe,
    ...shapesOf(field),
    read(node, path, issues) {
      const limits = field.read(node, path, issues);
      return limits === undefined ? undefined : { ...UNLIMITED, ...limits };
    },
    write: (value) => field.write(value as unknown as T),
  };
}

const weights = section("builtin weights", {
  gasCosts: optional(
    "gas_costs",
    section("gas per builtin", eachOf(BUILTIN_WEIGHT_NAMES, weight, DEFAULT_BUILTIN_WEIGHTS)),
    DEFAULT_BUILTIN_WEIGHTS,
  ),
});

const builtinWeights: Field<BouncerConfig["builtinWeights"]> = {
  describe: weights.describe,
  ...shapesOf(weights),
  read: (node, path, issues) => weights.read(node, path, issues)?.gasCosts,
  write: (value) => weights.write({ gasCosts: value }),
};

function shapeOf(shape: BouncerConfig["shape"], capacity: Field<BlockCapacity>) {
  const field = section<Omit<BouncerConfig, "shape">>("a mapping with block_max_capacity", {
    capacity: required("block_max_capacity", capacity),
    builtinWeights: optional("builtin_weights", builtinWeights, DEFAULT_BUILTIN_WEIGHTS),
  });
  return {
    describe: field.describe,
    ...shapesOf(field),
    read(node, path, issues) {
      const value = field.read(node, path, issues);
      return value === undefined ? undefined : { ...value, shape };
    },
    write(value) {
      const written = field.write(value) as Record<string, unknown>;
      // The shape with steps has no weights, which would have no effect.
      if (shape === "steps") delete written["builtin_weights"];
      return written;
    },
  } satisfies Field<BouncerConfig>;
}

const stepsShape = shapeOf("steps", withAllLimits(stepsCapacity));
const gasShape = shapeOf("sierra_gas", withAllLimits(gasCapacity));

const byShape = shapeField<BouncerConfig>(
  "a mapping with block_max_capacity",
  (node) => (bouncerShape(node) === "steps" ? stepsShape : gasShape),
  (value) => (value.shape === "steps" ? stepsShape : gasShape),
  { "with n_steps": stepsShape, "with sierra_gas": gasShape },
);

/**
 * Configuration field `bouncer_config`: the capacity of a block, limited in steps or in Sierra gas.
 */
export const bouncerField: Field<BouncerConfig> = {
  ...byShape,
  read(node, path, issues) {
    const before = issues.count;
    refuseOtherShape(node, path, issues);
    const value = byShape.read(node, path, issues);
    return issues.count === before ? value : undefined;
  },
};
