import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Kind, KINDS, type Settings } from "./settings.ts";

/** A server in a separate process. */
export interface Served {
  readonly kind: Kind;
  readonly port: number;
  readonly pid: number;
  readonly hostname: string;
  stop(): Promise<void>;
}

/** Starts a server of each kind, runs a function with them and stops them. */
export async function withServers<T>(
  settings: Settings,
  run: (servers: readonly Served[]) => Promise<T>,
): Promise<T> {
  const servers = await Promise.all(KINDS.map((kind) => serve(kind, settings)));
  try {
    return await run(servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function serve(kind: Kind, settings: Settings): Promise<Served> {
  const file = join(import.meta.dir, "server.ts");
  const child = Bun.spawn([process.execPath, file, kind, JSON.stringify(settings)], {
    stdout: "pipe",
    stderr: "ignore",
    stdin: "ignore",
  });
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value ?? new Uint8Array()));
  return {
    kind,
    port,
    pid: child.pid,
    hostname: settings.hostname,
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** Resident memory of a process in MiB (proc(5), `status`). */
export function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
}
