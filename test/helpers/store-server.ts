import { join } from "node:path";
import { parseArgs } from "node:util";
import { NodeError } from "#base/errors/index.ts";
import { type ObjectStoreOptions, readObjectStoreUrl } from "#io/objects/index.ts";
import { freePort } from "./binary.ts";
import type { StoreFaults } from "./store-server/faults.ts";
import { type Bucket, folderBucket, memoryBucket } from "./store-server/objects.ts";
import { BUCKET, FAULTS_PATH, serveStore, WRITES_PATH } from "./store-server/server.ts";

export type { StoreFaults, StoreMethod, StoreRule } from "./store-server/faults.ts";

/** Keys for the stores of tests. */
export const STORE_KEYS = {
  accessKeyId: "store-key-id",
  secretAccessKey: "store-secret-access-key",
  sessionToken: null,
};

/** Environment of a node with {@link STORE_KEYS}. */
export const STORE_ENVIRONMENT: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: STORE_KEYS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: STORE_KEYS.secretAccessKey,
};

const REGION = "us-east-1";

/** An S3 store on the local host, with an existing bucket. */
export interface StoreServer extends AsyncDisposable {
  /** Address of the service. */
  readonly endpoint: string;
  /** URL for an option of the command line: `s3://chain/PREFIX?endpoint=...`. */
  storeUrl(prefix?: string): string;
  /** Options of a node's setup. */
  options(prefix?: string): ObjectStoreOptions;
  /** Replaces all faults; `{}` removes them. */
  setFaults(faults: StoreFaults): Promise<void>;
  /** Number of writes by key since the start, including the prefix. */
  writes(): Promise<ReadonlyMap<string, number>>;
}

/** A store in the process of the test. */
export interface LocalStoreServer extends StoreServer {
  /** Its objects, for inspection and changes. */
  readonly bucket: Bucket;
  /** Removes the ETags of all objects, as if written by another tool. */
  loseEtags(): void;
}

/** A store in a separate process, which ends with that of the test. */
export interface StoreProcess extends StoreServer {
  readonly pid: number;
  /** Objects in its folder, for inspection and changes. */
  readonly bucket: Bucket;
  /** Kills the process; stored objects stay. */
  kill(): Promise<void>;
  /** Restarts the process with the same port and folder. */
  restart(): Promise<void>;
}

/**
 * Starts a store in this process.
 *
 * @param keys - accepted keys
 */
export async function startStoreServer(
  keys: typeof STORE_KEYS | { readonly sessionToken: string } = STORE_KEYS,
): Promise<LocalStoreServer> {
  const bucket = memoryBucket();
  const store = await serveStore(bucket, { ...STORE_KEYS, ...keys, region: REGION }, 0);
  return {
    ...addressesOf(store.port),
    bucket,
    setFaults: (faults) => Promise.resolve(store.faults.set(faults)),
    writes: () => Promise.resolve(store.writes),
    loseEtags() {
      for (const key of bucket.keys("")) store.copies.add(key);
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

/** Starts a store in a separate process with its objects in a folder. */
export async function startStoreProcess(folder: string): Promise<StoreProcess> {
  const port = await freePort();
  const addresses = addressesOf(port);
  const start = async (): Promise<Bun.Subprocess> => {
    const child = Bun.spawn(
      [process.execPath, import.meta.path, "--port", String(port), "--dir", folder, "--stdin"],
      // Its standard input ends with this process, however that exits. Helpers must not treat it as
      // a test.
      {
        cwd: join(import.meta.dir, "../.."),
        env: { ...process.env, NODE_ENV: "" },
        stdin: "pipe",
        stdout: "ignore",
        stderr: "inherit",
      },
    );
    await untilAnswered(addresses.endpoint + WRITES_PATH);
    return child;
  };
  let child = await start();
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return {
    ...addresses,
    get pid() {
      return child.pid;
    },
    bucket: folderBucket(folder),
    async setFaults(faults) {
      await fetch(addresses.endpoint + FAULTS_PATH, {
        method: "PUT",
        body: JSON.stringify(faults),
      });
    },
    async writes() {
      const response = await fetch(addresses.endpoint + WRITES_PATH);
      return new Map((await response.json()) as [string, number][]);
    },
    kill,
    async restart() {
      await kill();
      child = await start();
    },
    [Symbol.asyncDispose]: kill,
  };
}

function addressesOf(port: number): Pick<StoreServer, "endpoint" | "storeUrl" | "options"> {
  const endpoint = `http://127.0.0.1:${port}`;
  const storeUrl = (prefix = "test"): string =>
    `s3://${BUCKET}/${prefix}?endpoint=${endpoint}&region=${REGION}`;
  return {
    endpoint,
    storeUrl,
    options(prefix) {
      const read = readObjectStoreUrl(storeUrl(prefix));
      if (read === undefined) throw new TypeError("the store's own address is none");
      return { ...read, credentialsFile: null };
    },
  };
}

async function untilAnswered(url: string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const isReady = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    await Bun.sleep(20);
  }
  throw new NodeError("NODE_UNREACHABLE", "the store did not start");
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { port: { type: "string" }, dir: { type: "string" }, stdin: { type: "boolean" } },
  });
  const { port = "0", dir, stdin = false } = values;
  const bucket = dir === undefined ? memoryBucket() : folderBucket(dir);
  const store = await serveStore(bucket, { ...STORE_KEYS, region: REGION }, Number(port));
  process.stdout.write(`${addressesOf(store.port).storeUrl()}\n`);
  if (stdin) {
    for await (const _ of Bun.stdin.stream());
    process.exit();
  }
}
