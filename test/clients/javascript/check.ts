/** Environment that run.ts passes to a client program. */
export interface ClientEnvironment {
  /** URL with the path of the specification version. */
  readonly url: string;
  readonly address: string;
  readonly privateKey: string;
  /** Contract of the fee token. */
  readonly token: string;
  /**
   * Whether the node responds before transactions are in a block, so that clients must wait for
   * them.
   */
  readonly awaits: boolean;
  /** Number of transactions of each kind. */
  readonly rounds: number;
}

/** Default of CLIENT_ROUNDS. */
const ROUNDS = 15;

/** Reads the environment from run.ts; a missing variable is empty. */
export function clientEnvironment(): ClientEnvironment {
  const of = (name: string): string => process.env[`CLIENT_${name}`] ?? "";
  return {
    url: of("URL"),
    address: of("ADDRESS"),
    privateKey: of("PRIVATE_KEY"),
    token: of("TOKEN"),
    awaits: of("AWAITS") === "true",
    rounds: Number(of("ROUNDS")) || ROUNDS,
  };
}

/** Prints a check's result; the program exits with 1 if one fails. */
export function checks(client: string): (what: string, holds: boolean) => void {
  return (what, holds) => {
    console.log(`${client}: ${holds ? "" : "NOT "}${what}`);
    if (!holds) process.exit(1);
  };
}
