/** What run.ts tells a client's program of the chain that it runs against. */
export interface ClientEnvironment {
  /** With the path of the interface's version. */
  readonly url: string;
  readonly address: string;
  readonly privateKey: string;
  /** Contract of the fee token. */
  readonly token: string;
  /** Transactions have to be waited for: the node answers before they are in a block. */
  readonly awaits: boolean;
  /** Times that each kind of transaction is sent. */
  readonly rounds: number;
}

/** Rounds when CLIENT_ROUNDS names no number. */
const ROUNDS = 15;

/** Reads what run.ts tells; a variable that is missing is empty. */
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

/** Says what holds; the program ends with 1 when it does not. */
export function checks(client: string): (what: string, holds: boolean) => void {
  return (what, holds) => {
    console.log(`${client}: ${holds ? "" : "NOT "}${what}`);
    if (!holds) process.exit(1);
  };
}
