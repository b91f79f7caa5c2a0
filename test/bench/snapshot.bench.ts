/**
 * A snapshot of a chain of many small blocks: the time to write, read and verify it, compared with
 * `sha256sum` of the same files and with verified sync of the last blocks.
 *
 * Arguments: blocks (default 100 000: at least ten minutes), file of the chain (default: a
 * temporary one; an existing one is used unchanged). Times are processor times of all threads. The
 * import has no child process: the class is compiled once, in this thread, which counts.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { feltFromShortString } from "#base/primitives/index.ts";
import { publicKey as publicKeyOf } from "#protocol/crypto/index.ts";
import {
  compiledClassHash,
  casmJsonFromClass,
  sierraClassFromJson,
  sierraClassHash,
  transactionHash,
} from "#protocol/chain/index.ts";
import { compileClass } from "#engine/sierra/index.ts";
import { Directory } from "#io/folders/index.ts";
import {
  createChainReader,
  createChainWriter,
  openDatabase,
  openSnapshotReader,
} from "#io/storage/index.ts";
import { exportSnapshot, sha256Of } from "#services/snapshot/index.ts";
import { importFrom, threadCompiler } from "#test/helpers/snapshot-world.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { type ChainContents, ChainMaker, SIGNING_KEY } from "./chain-blocks.ts";

const [count = "100000", file] = process.argv.slice(2);
const blocks = Number(count);
/** Blocks after the snapshot, whose verified sync is measured. */
const SYNCED = 300;
const CHAIN_ID = "B";

using folder = temporaryFolder();
const path = file ?? folder.file("chain.db");

const CLASS = join(import.meta.dir, "../../contracts/l2/erc20.sierra.json");

function trueContents(): ChainContents {
  const contractClass = sierraClassFromJson(readFileSync(CLASS, "utf8"));
  const casm = compileClass(contractClass, { maxBytecodeSize: Infinity, libfuncs: "all" });
  const chainId = feltFromShortString(CHAIN_ID);
  const classHash = sierraClassHash(contractClass);
  return {
    hashOf: (transaction) => transactionHash(transaction, chainId),
    declared: { classHash, contractClass, casmJson: casmJsonFromClass(casm) },
    compiledClassHash: compiledClassHash(casm, "blake"),
  };
}

/** Runs a function. @returns its result, and its processor time in seconds */
async function measured<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1_000_000];
}

const open = (at: string, mode: "reader" | "writer") =>
  openDatabase({ path: at, chainId: CHAIN_ID, mode, durability: "normal" });

if (!existsSync(path)) {
  const handle = await open(path, "writer");
  const maker = new ChainMaker(
    createChainReader(handle),
    createChainWriter(handle, { keepProofs: 128 }),
    trueContents(),
  );
  for (let number = 0; number < blocks; number++) {
    maker.add(number);
    handle.checkpointIfLong();
  }
  handle.checkpoint();
  handle.close();
}

const reading = await open(path, "reader");
const chain = createChainReader(reading);
const newest = chain.latestNumber() ?? 0;
const at = newest - SYNCED;
const header = chain.header(at);
if (header === undefined) throw new RangeError(`the chain has no block ${at}`);

const target = new Directory(folder.file("snapshot"));
mkdirSync(target.name);
const reader = openSnapshotReader(reading, at);
const [manifest, exportSeconds] = await measured(() =>
  exportSnapshot({
    reader,
    target,
    startManifest: {
      chainId: CHAIN_ID,
      blockNumber: at,
      blockHash: header.hash,
      stateRoot: header.newRoot,
      newestBlock: newest,
      files: [],
    },
    fileBytes: 16 * 2 ** 20,
    step: async () => undefined,
  }),
);
reader.close();
reading.close();

const bytes = manifest.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
const mebibytes = (of: number): string => (of / 2 ** 20).toFixed(1);
const ofKinds = new Map<string, number>();
for (const { kind, sizeBytes } of manifest.files) {
  ofKinds.set(kind, (ofKinds.get(kind) ?? 0) + sizeBytes);
}
console.log(
  `a snapshot at block ${at}: ${mebibytes(bytes)} MiB (${[...ofKinds].map(([kind, of]) => `${kind} ${mebibytes(of)}`).join(", ")}), written in ${exportSeconds.toFixed(2)} s`,
);

const [, hashSeconds] = await measured(async () => {
  for (const { name, sizeBytes } of manifest.files) {
    sha256Of((await target.read(name, sizeBytes)) ?? new Uint8Array());
  }
});

const imported = folder.file("imported.db");
const compiler = threadCompiler();
const trust = { publicKey: null, blockHash: header.hash };
const [, importSeconds] = await measured(() =>
  importFrom(target, imported, { trust, compiler }, (found) => found.latestNumber()),
);
// The state is imported: the blocks after it remain.
const publicKey = publicKeyOf(SIGNING_KEY);
const [last, syncSeconds] = await measured(() =>
  importFrom(target, imported, { trust: { publicKey, blockHash: null }, compiler }, (found) =>
    found.latestNumber(),
  ),
);
if (last !== newest) throw new RangeError(`it ends with block ${last}`);
const eachMs = (syncSeconds * 1000) / SYNCED;
const syncOfAll = (eachMs * at) / 1000;
const rowBytes = bytes - (ofKinds.get("bundles") ?? 0);
const speed = (of: number, seconds: number): string =>
  `${(of / 2 ** 20 / seconds).toFixed(1)} MiB/s`;
console.log(`SHA-256 of its files: ${speed(bytes, hashSeconds)}`);
console.log(
  `import: ${importSeconds.toFixed(2)} s, ${speed(rowBytes, importSeconds)} of ${mebibytes(rowBytes)} MiB`,
);
console.log(
  `verified sync: ${eachMs.toFixed(2)} ms a block, so ${syncOfAll.toFixed(0)} s for ${at} blocks: ${(syncOfAll / importSeconds).toFixed(0)} times the import`,
);
