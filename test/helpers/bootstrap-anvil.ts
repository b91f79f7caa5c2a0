import { afterAll, beforeAll } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { Bootstrap, type BootstrapOptions, readSettings } from "#app/bootstrap/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { type RunningAnvil, startAnvil } from "./anvil.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Options of a bootstrap on anvil, and environment variables. */
export interface AnvilBootstrap extends Partial<Omit<BootstrapOptions, "settings" | "waiting">> {
  readonly environment?: Readonly<Record<string, string>>;
  readonly isDevelopment?: boolean;
}

/** Starts an anvil for the test file, with bootstraps of chain `X` on it. */
export function useAnvilBootstraps() {
  const folder = temporaryFolder();
  let anvil: RunningAnvil;
  beforeAll(async () => {
    anvil = await startAnvil();
  }, 30_000);
  afterAll(async () => {
    await anvil.stop();
    folder[Symbol.dispose]();
  });
  const plan = ({ environment, isDevelopment = true, ...options }: AnvilBootstrap = {}) => {
    const all = { APP_CHAIN_ID: "X", ETH_RPC: anvil.url, L1_WAIT_TIME: "5", ...environment };
    return Bootstrap.plan({
      l1Token: null,
      addressesPath: folder.file("addresses.json"),
      resumes: false,
      earlier: "refuse",
      hasGenesis: false,
      ...options,
      settings: readSettings({ ROLLUP_SEQ_URL: "http://127.0.0.1:1", ...all }, isDevelopment)
        .settings,
      waiting: { timer: SYSTEM_TIMER, signal: new AbortController().signal },
    });
  };
  return {
    get anvil(): RunningAnvil {
      return anvil;
    },
    /** Path of a file of the test. */
    file: (name: string): string => folder.file(name),
    plan,
    /** Runs steps, by default all of L1. */
    async run(options: AnvilBootstrap = {}, only = "l1"): Promise<Bootstrap> {
      const bootstrap = await plan(options);
      await bootstrap.run(bootstrap.chosen(only), false, { begin: () => {}, end: () => {} });
      return bootstrap;
    },
    /** Copies the address file with a text replaced. @returns the path of the copy */
    edited(name: string, from: string, to: string): string {
      const path = folder.file(name);
      copyFileSync(folder.file("addresses.json"), path);
      const text = readFileSync(path, "utf8");
      if (!text.includes(from)) throw new RangeError(`there is no ${from} in ${text}`);
      writeFileSync(path, text.replace(from, to));
      return path;
    },
    /** Number of transactions that the deployer has sent. */
    sent: (): Promise<number> =>
      anvil.client.getTransactionCount({ address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266" }),
  };
}
