import { BINARY, freePort, type StartOptions, TEST_ENVIRONMENT } from "./binary.ts";

/** Result of a process. */
export interface EndedStart {
  readonly code: number;
  /** Output of both streams. */
  readonly output: string;
}

/**
 * Starts a sequencer of the preset devnet that is expected to fail, and waits until it exits.
 *
 * @param stopAt - output text at which it is sent SIGTERM
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
