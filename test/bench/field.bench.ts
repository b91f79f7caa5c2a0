/**
 * Prints nanoseconds per operation of the field kernel, of the host's BigInt where that is
 * comparable, and of `@scure/starknet`.
 *
 * Run with `bun test/bench/field.bench.ts`; `--json` prints one JSON object instead of the table.
 */
import { cpus } from "node:os";
import * as scure from "@scure/starknet";
import { measure } from "mitata";
import {
  SECP256K1,
  SECP256R1,
  secpAdd,
  type SecpCurve,
  secpMultiply,
} from "#engine/execution/syscalls/secp-curve.ts";
import { publicKey, sign } from "#protocol/crypto/index.ts";
import { FieldKernel, hasWideArithmetic } from "#kernels/field/index.ts";
import { buildKernels } from "../../scripts/kernels.ts";
import { P } from "../helpers/reference/field.ts";
import { SECP_GENERATORS } from "../helpers/reference/secp.ts";

interface Row {
  readonly name: string;
  /** Median nanoseconds of one operation. */
  readonly nanoseconds: number;
  /** Fastest sample; on a busy machine it is more reliable than the median. */
  readonly fastest: number;
}

const MULTIPLICATIONS = 10_000;
const BATCH = 512;

await buildKernels(["field"]);
const kernel = new FieldKernel();
const a = (P / 7n) * 5n;
const b = (P / 11n) * 3n + 12_345n;
const point = kernel.mulGenerator(a);
const other = kernel.mulGenerator(b);
const pairs = Array.from({ length: 2 * BATCH }, (_, i) => (P / 1031n) * BigInt(i + 1));
const hash = a >> 2n;
const key = b >> 3n;
const signature = sign(key, hash);
const keyX = publicKey(key);
const scureKey = scure.getPublicKey(key.toString(16));
const scureSignature = new scure.Signature(signature.r, signature.s);

/**
 * Not part of the figures: the kernel builds its widest tables after 4096 batched hashes, and the
 * engine recompiles long loops.
 */
function warmUp(): void {
  for (let i = 0; i < 10; i++) kernel.pedersenBatch(pairs);
  for (const each of [...points, ...changing, ...keys, ...keys]) kernel.ecOp(point, each, next());
}

async function time(name: string, operation: () => unknown, perCall = 1): Promise<Row> {
  const stats = await measure(operation, { min_cpu_time: 150e6, min_samples: 12 });
  return { name, nanoseconds: stats.p50 / perCall, fastest: stats.min / perCall };
}

let fresh = a;
/** A pseudorandom value that is in no cache; costs one BigInt product. */
function next(): bigint {
  fresh = (fresh * b) % P;
  return fresh;
}

/** Signed digits of which every second one is not zero. */
const MOST_ADDITIONS = BigInt(`0b${"01".repeat(125)}1`);
/** More than the kernel caches. */
const points = Array.from({ length: 20_000 }, () => kernel.mulGenerator(next()));
/** Each point twice: the second use builds its table. */
const changing = points.flatMap((each) => [each, each]);
/** Keys of repeated senders. */
const keys = points.slice(0, 256);
let turn = 0;

function nextOf(list: typeof points): typeof point {
  return list[turn++ % list.length] ?? point;
}

warmUp();
const rows: Row[] = [
  await time(
    "felt mul (Montgomery)",
    () => kernel.repeatMultiplication(MULTIPLICATIONS),
    MULTIPLICATIONS,
  ),
  await time("felt mul (BigInt)", next),
  await time("felt inverse", () => kernel.inverse(next())),
  await time("felt square root", () => kernel.squareRoot((next() * fresh) % P)),
  await time("Pedersen alone", () => kernel.pedersen(next(), b)),
  await time("Pedersen from the memo", () => kernel.pedersen(a, b)),
  await time(`Pedersen in batches of ${BATCH}`, () => kernel.pedersenBatch(pairs), BATCH),
  await time("Pedersen (@scure/starknet)", () => scure.pedersen(next(), b)),
  await time("Poseidon hash of two", () => kernel.poseidon(next(), b)),
  await time("Poseidon permutation in a long list", () => kernel.poseidonMany(pairs), BATCH + 1),
  await time("Poseidon hash of two (@scure/starknet)", () => scure.poseidonHash(next(), b)),
  await time("EC mul", () => kernel.mulPoint(point, next())),
  await time("EC mul of the generator", () => kernel.mulGenerator(next())),
  await time("EC mul of the generator (@scure/starknet)", () => scure.Point.BASE.multiply(key)),
  await time("ec_op of a point seen again and again", () => kernel.ecOp(point, other, next())),
  await time("ec_op of 256 points in turn", () => kernel.ecOp(point, nextOf(keys), next())),
  await time("ec_op of points seen once", () => kernel.ecOp(point, nextOf(points), next())),
  await time("ec_op of points seen once, most additions", () =>
    kernel.ecOp(point, nextOf(points), MOST_ADDITIONS),
  ),
  await time("ec_op of points that change before their table pays", () =>
    kernel.ecOp(point, nextOf(changing), next()),
  ),
  await time("ECDSA verify", () => kernel.verify(keyX, hash, signature.r, signature.s)),
  await time("ECDSA verify (@scure/starknet)", () =>
    scure.verify(scureSignature, hash.toString(16), scureKey),
  ),
  await time("ECDSA sign", () => sign(key, hash)),
  await time("ECDSA sign (@scure/starknet)", () => scure.sign(hash.toString(16), key.toString(16))),
  ...(await secpRows("secp256k1", SECP256K1)),
  ...(await secpRows("secp256r1", SECP256R1)),
  await time("Keccak-256 of one block", () => kernel.keccak256(new Uint8Array(135))),
  await time("Blake2s per felt", () => kernel.blake2sFelts(pairs), 2 * BATCH),
];

async function secpRows(name: keyof typeof SECP_GENERATORS, curve: SecpCurve): Promise<Row[]> {
  const generator = SECP_GENERATORS[name];
  let sum = generator;
  return [
    await time(`${name} mul`, () => secpMultiply(curve, generator, sum.x)),
    await time(`${name} add`, () => (sum = secpAdd(curve, sum, generator))),
  ];
}

const machine = `${cpus()[0]?.model ?? "unknown"}, Bun ${Bun.version}`;
const build = hasWideArithmetic() ? "wide" : "plain";
if (process.argv.includes("--json")) {
  process.stdout.write(`${JSON.stringify({ machine, build, rows })}\n`);
} else {
  process.stdout.write(`${machine}, ${build} build\n`);
  for (const { name, nanoseconds, fastest } of rows) {
    const columns = [nanoseconds, fastest].map((value) => value.toFixed(1).padStart(12));
    process.stdout.write(`${name.padEnd(44)}${columns.join("")} ns (median, fastest)\n`);
  }
}
