import { splitByState, type StoppedMessage } from "./message-state.ts";
import type { MessageWatchDeps } from "./message-ports.ts";
import type { L1HandlerOutcome } from "./ports.ts";
import type { WaitingMessage } from "./waiting-message.ts";

/**
 * Outcome of sending a batch of L1 messages to the executor: the stopped ones, and those that it
 * executed.
 */
export interface MessageBatchOutcome {
  readonly stopped: readonly StoppedMessage[];
  readonly executed: readonly {
    readonly message: WaitingMessage;
    readonly outcome: L1HandlerOutcome;
  }[];
}

/** Reads at the newest block of all, so that a started cancellation takes effect immediately. */
const HEAD = 0;

/**
 * Rechecks messages in L1's newest block, and sends those that may be executed to the executor. A message
 * that L1 lacks, or that is being canceled, would make the block unprovable.
 *
 * @returns `undefined` when the batch is no longer wanted
 * @throws {L1Error} when L1 does not answer; nothing was sent
 */
export async function handOver(
  { source, execute }: Pick<MessageWatchDeps, "source" | "execute">,
  batch: readonly WaitingMessage[],
  isWanted: () => boolean,
): Promise<MessageBatchOutcome | undefined> {
  const { sound, stopped } = await source.view(HEAD, (view) => splitByState(view, batch));
  if (!isWanted()) return undefined;
  if (sound.length === 0) return { stopped, executed: [] };
  const outcomes = await execute(sound);
  const executed = sound.map((message, index) => ({
    message,
    outcome: outcomes[index] ?? ({ kind: "interrupted" } as const),
  }));
  return { stopped, executed };
}
