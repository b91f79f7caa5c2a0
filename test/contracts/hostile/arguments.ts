import { selectorFromName } from "#protocol/crypto/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { record, type RecordOptions } from "./contract.ts";

/** Address and class of the contract, which some operations need. */
export interface Deployed {
  readonly address: Felt;
  readonly classHash: Felt;
}

const LOW_128 = (1n << 128n) - 1n;

/** Generators of the curves: SEC 2, sections 2.4.1 and 2.4.2. */
const GENERATORS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  secp256k1: [
    0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
    0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
  ],
  secp256r1: [
    0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
    0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  ],
};

/** Generator of the Stark curve and its double. */
const STARK_POINTS: readonly bigint[] = [
  0x1ef15c18599971b7beced415a40f0c7deacfd9b0d1819e03d723d8bc943cfcan,
  0x5668060aa49730b7be4801df46ec62de53ecd11abe43a32873000c36e8dc1fn,
  0x759ca09377679ecd535a81e83039658bf40959283187c654c5416f439403cf5n,
  0x6f524a3400e7708d5c01a28598ad272e7455aa88778b19f93b562d7a9646c41n,
];

/** Every second bit is set: the number below 2^251 with the most non-zero signed digits. */
const MOST_ADDITIONS = (1n << 251n) / 3n;

function zeros(count: number): bigint[] {
  return Array.from({ length: count }, () => 0n);
}

function halves(value: bigint): bigint[] {
  return [value & LOW_128, value >> 128n];
}

/** Calldata of a call that does nothing. */
const IDLE = record("steps", { count: 0 });

/**
 * Calldata by which `run` performs an operation `count` times without failing, each time with as
 * much work as a small argument can cause. Calls and deployments run an idle call.
 */
export function calldataFor(operation: string, count: number, deployed: Deployed): bigint[] {
  const [curve = "", action] = operation.split("_");
  const generator = GENERATORS[curve];
  if (generator !== undefined) {
    const options: RecordOptions =
      action === "mul" ? { a: LOW_128, b: LOW_128 } : action === "from" ? { a: 1n } : {};
    return [...record(operation, { count, ...options }), ...generator.flatMap(halves)];
  }
  const of = (options: RecordOptions, tail: readonly bigint[] = []): bigint[] => [
    ...record(operation, { count, ...options }),
    ...tail,
  ];
  switch (operation) {
    case "storage_read":
    case "storage_write":
    case "get_class_hash_at":
    case "get_block_hash":
      return of({ a: 0x100n, b: 1n });
    case "emit_event":
      return of({ a: 1n, b: 1n }, [1n]);
    case "send_message_to_l1":
      return of({ a: 1n, b: 1n }, [1n]);
    case "keccak":
      return of({ a: 17n }, zeros(17));
    case "sha256_process_block":
    case "sha512_process_block":
      return of({}, zeros(24));
    case "call_contract":
    case "call_contract_ignoring":
      return of({ a: deployed.address, b: selectorFromName("run") }, IDLE);
    case "call_with_array":
      return of({ a: deployed.address, b: selectorFromName("__validate_declare__"), c: 5n });
    case "library_call":
    case "library_call_ignoring":
      return of({ a: deployed.classHash, b: selectorFromName("run") }, IDLE);
    case "meta_tx_v0":
      return of({ a: deployed.address, b: selectorFromName("__execute__") }, [...IDLE, ...IDLE]);
    case "deploy":
      return of({ a: deployed.classHash }, IDLE);
    case "replace_class":
      return of({ a: deployed.classHash });
    case "ec_op":
      return of({}, [...STARK_POINTS, LOW_128]);
    case "ec_op_chain":
      return of({}, [...STARK_POINTS, MOST_ADDITIONS]);
    case "sparse_segment":
      return of({ a: 1000n });
    case "panic_with_tail":
    case "return_tail":
      return of({}, zeros(count));
    default:
      return of({});
  }
}
