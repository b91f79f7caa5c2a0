import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./binary.ts";
import { STORE_ENVIRONMENT, startStoreProcess, type StoreFaults } from "./store-server.ts";
import { BUCKET } from "./store-server/server.ts";

const PREFIX = "one";

/** A store in a separate process that outlives the nodes: the test server, or another program. */
export interface RunningStore {
  /** Value of `--publish-gate`. */
  readonly url: string;
  /** Environment with the keys for nodes. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder with a file for each object. */
  readonly objectsFolder: string;
  readonly port: number;
  /** Makes the store hang: no request gets a response. */
  pause(): void;
  resume(): void;
  /** Replaces all faults; `{}` removes them. Only available on the test server. */
  setFaults(faults: StoreFaults): Promise<void>;
  stop(): Promise<void>;
}

const READY_MS = 10_000;

/**
 * Starts a store.
 *
 * @param folder - folder for its objects
 * @param program - path of versitygw; `null` for the test server
 */
export function startStore(folder: string, program: string | null): Promise<RunningStore> {
  return program === null ? startOwn(folder) : startVersity(folder, program);
}

async function startOwn(folder: string): Promise<RunningStore> {
  mkdirSync(folder, { recursive: true });
  const store = await startStoreProcess(folder);
  return {
    url: store.storeUrl(PREFIX),
    env: STORE_ENVIRONMENT,
    objectsFolder: join(folder, "objects", PREFIX),
    port: Number(new URL(store.endpoint).port),
    pause: () => process.kill(store.pid, "SIGSTOP"),
    resume: () => process.kill(store.pid, "SIGCONT"),
    setFaults: (faults) => store.setFaults(faults),
    stop: () => store.kill(),
  };
}

async function startVersity(folder: string, program: string): Promise<RunningStore> {
  const objectsFolder = join(folder, BUCKET, PREFIX);
  mkdirSync(objectsFolder, { recursive: true });
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = STORE_ENVIRONMENT;
  const child = Bun.spawn([program, "--port", address, "posix", folder], {
    env: {
      ...process.env,
      ROOT_ACCESS_KEY: AWS_ACCESS_KEY_ID,
      ROOT_SECRET_KEY: AWS_SECRET_ACCESS_KEY,
    },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  process.on("exit", () => child.kill("SIGKILL"));
  const endsAtMs = Date.now() + READY_MS;
  while (!(await isUp(`http://${address}`))) {
    if (Date.now() > endsAtMs) throw new TypeError("the store did not start");
    await Bun.sleep(50);
  }
  return {
    url: `s3://${BUCKET}/${PREFIX}?endpoint=http://${address}&region=us-east-1`,
    env: STORE_ENVIRONMENT,
    objectsFolder,
    port,
    pause: () => child.kill("SIGSTOP"),
    resume: () => child.kill("SIGCONT"),
    setFaults: () => Promise.reject(new TypeError("versitygw has no faults")),
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
