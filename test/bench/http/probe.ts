import { withServers, type Served } from "./children.ts";
import type { Settings } from "./settings.ts";

/** A requirement of a node on its server, and the test for it. */
export interface Probe {
  readonly what: string;
  readonly settings: Settings;
  /** Runs the test. @returns the outcome in few words */
  readonly run: (server: Served) => Promise<string>;
}

/** Tests each requirement with each server sequentially, and prints a Markdown table. */
export async function printProbes(probes: readonly Probe[]): Promise<void> {
  console.log("| what | ours | `node:http` | `Bun.serve` |\n| --- | --- | --- | --- |");
  for (const { what, settings, run } of probes) {
    const found = await withServers(settings, async (servers) => {
      const cells: string[] = [];
      for (const server of servers) cells.push(await run(server).catch(String));
      return cells;
    });
    console.log(`| ${what} | ${found.join(" | ")} |`);
  }
}
