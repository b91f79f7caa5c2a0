/** A row of the comparison. */
export interface Row {
  /** Stable name, also used in saved runs. */
  readonly id: string;
  readonly what: string;
  readonly unit: "/s" | "ms" | "MiB" | "bytes";
  /** Determines the direction of the ratio, so that above 1 is always better. */
  readonly better: "more" | "less";
}

/** Numbers of senders of the transfer rows. */
export const SENDERS = [64, 256] as const;

/** Methods of the read rows, in order. */
export const READ_METHODS = [
  "blockNumber",
  "getStorageAt",
  "getNonce",
  "getClassHashAt",
  "getBlockWithTxs",
  "getTransactionByHash",
  "getTransactionReceipt",
  "call",
] as const;

/** A method of a read row. */
export type ReadMethod = (typeof READ_METHODS)[number];

/** Calls of the contract of `test/contracts/bench`: entry point, argument, and description. */
export const HEAVY_CALLS = [
  { entryPoint: "fib", argument: 335_300, what: "recursion of 5.7 M steps" },
  { entryPoint: "pedersen", argument: 5_000, what: "5 000 Pedersen hashes" },
  { entryPoint: "poseidon", argument: 5_000, what: "5 000 Poseidon permutations" },
  { entryPoint: "u256_mul", argument: 5_000, what: "5 000 multiplications of u256" },
  { entryPoint: "dict", argument: 40_000, what: "40 000 reads and writes of a dictionary" },
  { entryPoint: "keccak", argument: 300, what: "300 Keccak hashes" },
  { entryPoint: "secp256k1", argument: 50, what: "50 multiplications of secp256k1" },
  { entryPoint: "sha256", argument: 200, what: "200 SHA-256 hashes" },
  { entryPoint: "array", argument: 50_000, what: "an array of 50 000 felts" },
  { entryPoint: "structs", argument: 20_000, what: "20 000 structs" },
] as const;

/** Rows of each group of `scripts/bench-compare`. */
export const ROWS = {
  start: [
    cost("start", "from the start of the process to its first answer, 10 accounts", "ms"),
    cost("start-anonymous", "anonymous memory 3 s after it", "MiB"),
    cost("start-resident", "resident memory 3 s after it", "MiB"),
  ],
  transfers: [
    cost("first", "first transfer after a start, until it is accepted", "ms"),
    ...SENDERS.flatMap((senders): Row[] => [
      rate(`cold-${senders}`, `transfers, the first 2 560 after a start, ${senders} senders`),
      rate(`warm-${senders}`, `transfers, the 10 000 after them, ${senders} senders`),
    ]),
    cost("processor-warm", "processor time per transfer, the 10 000 later ones, 64 senders", "ms"),
    cost("alone-p50", "a transfer alone, until it is accepted, p50", "ms"),
    cost("eight-p50", "8 in flight, until they are accepted, p50", "ms"),
    cost("eight-p99", "8 in flight, until they are accepted, p99", "ms"),
    cost("receipt-first", "first transfer after a start, until it is on disk", "ms"),
    rate("receipt-cold", "transfers answered on receipt, the first 2 560, 256 senders"),
    rate("receipt-warm", "transfers answered on receipt, the 10 000 after them, 256 senders"),
    cost("receipt-processor", "processor time per transfer answered on receipt, 256 senders", "ms"),
    cost("receipt-eight-p50", "8 in flight, until they are on disk, p50", "ms"),
    cost("receipt-eight-p99", "8 in flight, until they are on disk, p99", "ms"),
    cost("anonymous-5000", "anonymous memory after 5 000 transfers, 64 senders", "MiB"),
    cost("resident-5000", "resident memory after 5 000 transfers, 64 senders", "MiB"),
    cost("disk", "disk per transfer to a fresh recipient, proofs of 128 blocks", "bytes"),
  ],
  memory: [
    cost("anonymous-100000", "anonymous memory after 100 000 transfers, 64 senders", "MiB"),
    cost("resident-100000", "resident memory after 100 000 transfers, 64 senders", "MiB"),
    rate("rate-100000", "transfers, 100 000 on end, 64 senders"),
    cost("disk-100000", "disk per transfer of 100 000", "bytes"),
    cost("idle-anonymous", "anonymous memory 30 s later", "MiB"),
  ],
  calls: HEAVY_CALLS.map(({ entryPoint, what }) =>
    cost(`call-${entryPoint}`, `${what} (\`${entryPoint}\`)`, "ms"),
  ),
  reads: [
    ...READ_METHODS.flatMap((method): Row[] => [
      rate(`read-${method}`, `\`${method}\` at 32 connections`),
    ]),
    rate("read-bare", "a server of the same runtime that only answers `blockNumber`'s bytes"),
    ...READ_METHODS.map((method) =>
      cost(
        `p99-${method}`,
        `\`${method}\` at 32 connections with 500 transfers/s (starknet-devnet: 100), p99`,
        "ms",
      ),
    ),
  ],
} as const satisfies Readonly<Record<string, readonly Row[]>>;

/** A part of the comparison that can be run alone. */
export type Group = keyof typeof ROWS;

/** All groups in order. */
export const GROUPS = Object.keys(ROWS) as readonly Group[];

function rate(id: string, what: string): Row {
  return { id, what, unit: "/s", better: "more" };
}

function cost(id: string, what: string, unit: Row["unit"]): Row {
  return { id, what, unit, better: "less" };
}
