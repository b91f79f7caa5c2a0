/** Which steps belong together, in their order. */
export const STEP_GROUPS = ["l1", "l2", "handover", "native-token"] as const;

/** A group of steps. */
export type StepGroup = (typeof STEP_GROUPS)[number];

/** One thing that is done to set up a chain. It may be asked for again at any time, also after a kill within it. */
export interface Step {
  /** Names it on the command line. */
  readonly id: string;
  readonly title: string;
  readonly group: StepGroup;
  /** Whether the sequencer is asked. */
  readonly needsL2: boolean;
  /** What is there when it is done, for the file of addresses. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Looks, and changes nothing. @throws {BootstrapError} when something else is in its place */
  isDone(): Promise<boolean>;
  /** Does it, and waits until it is done as far as it knows; whoever calls looks again. */
  act(): Promise<void>;
}
