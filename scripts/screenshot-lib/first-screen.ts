import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Command that the picture shows, before its output. */
export const SHOWN_COMMAND = "appchain sequencer --preset devnet";

const COLUMNS = 100;
const ROWS = 60;
const START_TIMEOUT_MS = 60_000;
/** Last line of the screen; styles separate its words. */
const READY = /^\S*ready\S* .*in \d+ ms.*$/m;

/** Ports on which the program listens, in place of the default ones. */
export interface ScreenPorts {
  readonly rpc: number;
  readonly metrics: number;
}

/**
 * Starts the program on a terminal, in an empty folder, and stops it after its first screen.
 *
 * @returns the screen with the codes of the terminal; everything that differs between two runs is replaced
 * @throws {RangeError} when the program ends or stays silent before the screen is complete
 */
export async function firstScreen(program: string, ports: ScreenPorts): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "appchain-screenshot-"));
  let output = "";
  const complete = Promise.withResolvers<void>();
  const child = Bun.spawn(
    [
      ...[program, ...SHOWN_COMMAND.split(" ").slice(1)],
      ...["--rpc-port", String(ports.rpc), "--metrics-port", String(ports.metrics)],
    ],
    {
      cwd: folder,
      env: { TERM: "xterm-256color", PATH: "/usr/bin:/bin", APPCHAIN_WARM_UP_TRANSFERS: "0" },
      terminal: {
        cols: COLUMNS,
        rows: ROWS,
        data(_, bytes) {
          output += new TextDecoder().decode(bytes);
          if (READY.test(output)) complete.resolve();
        },
      },
    },
  );
  try {
    await Promise.race([complete.promise, child.exited, Bun.sleep(START_TIMEOUT_MS)]);
  } finally {
    child.kill("SIGTERM");
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  }
  const ready = READY.exec(output);
  if (ready === null) throw new RangeError(`${program} printed no ready line:\n${output}`);
  return steady(output.slice(0, ready.index + ready[0].length), folder, ports);
}

/** Replaces folder, ports, commit and duration by fixed ones. */
export function steady(output: string, folder: string, { rpc, metrics }: ScreenPorts): string {
  return output
    .replaceAll(folder, "~")
    .replaceAll(`:${rpc}`, ":9944")
    .replaceAll(`:${metrics}`, ":9615")
    .replace(/ commit [0-9a-f]+\+?/, "")
    .replace(/in \d+ ms/, "in 400 ms");
}
