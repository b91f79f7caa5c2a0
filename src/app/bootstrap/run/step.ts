/** Groups of steps, in order. */
export const STEP_GROUPS = ["l1", "l2", "handover", "native-token"] as const;

/** A group of steps. */
export type StepGroup = (typeof STEP_GROUPS)[number];

/** One action of setting up a chain. It can be repeated at any time, also after a kill midway. */
export interface Step {
  /** Its name on the command line. */
  readonly id: string;
  readonly title: string;
  readonly group: StepGroup;
  readonly needsL2: boolean;
  /** Entries in the address file once it is done. */
  readonly addresses: Readonly<Record<string, string>>;
  /**
   * Checks the chains without changing anything. @throws {BootstrapError} when something else is in its place
   */
  isDone(): Promise<boolean>;
  /** Performs the action and waits for its inclusion; the caller checks {@link isDone} again. */
  act(): Promise<void>;
}
