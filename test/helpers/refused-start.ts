import { BINARY, freePort, type StartOptions, TEST_ENVIRONMENT } from "./binary.ts";

/** How a process ended. */
export interface EndedStart {
  readonly code: number;
  /** Everything it printed, both streams. */
  readonly output: string;
}

/**
 * Starts a sequencer of the preset devnet that cannot start, and waits until it ends.
 *
 * @param stopAt - text in its output at which it is sent SIGTERM
 */
export async function refusedStart(
  folder: string,
  { args = [], env }: Pick<StartOptions, "args" | "env">,
  stopAt?: string,
): Promise<EndedStart> {
  const command = ["sequencer", "--preset", "devnet", "--base-path", folder, ...args];
  const ports = ["--rpc-port", String(await freePort()), "--metrics-port", "0"];
  const child = Bun.spawn([BINARY, ...command, ...ports], {
    env: { ...TEST_ENVIRONMENT, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let output = "";
  let isToStop = stopAt !== undefined;
  const drain = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true });
      if (!isToStop || !output.includes(stopAt ?? "")) continue;
      isToStop = false;
      child.kill("SIGTERM");
    }
  };
  await Promise.all([drain(child.stdout), drain(child.stderr)]);
  return { code: await child.exited, output };
}
