/** Contract or class that has the same address or hash on every chain that has it. */
export interface KnownSubject {
  readonly kind: "contract" | "class";
  /** Address or class hash. */
  readonly id: string;
  /** As shown to the user. */
  readonly name: string;
  /** Other names that find it, in lower case. */
  readonly aliases: readonly string[];
}

const known = (
  kind: KnownSubject["kind"],
  id: string,
  name: string,
  ...aliases: readonly string[]
): KnownSubject => ({ kind, id, name, aliases });

/** Deployers at the addresses of the public networks, and the classes that the program ships. */
export const KNOWN_SUBJECTS: readonly KnownSubject[] = [
  known(
    "contract",
    "0x2ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125",
    "Universal deployer",
    "udc",
  ),
  known(
    "contract",
    "0x41a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bf",
    "Universal deployer, first version",
    "legacy udc",
  ),
  known(
    "class",
    "0x5ba3f6759bfc240598d51cc49108c3c191c3f3d98f427cd54664b38ee9cb681",
    "Account of development chains",
    "shipped account",
  ),
  known(
    "class",
    "0x176bee19b46443a2eecad6659fdb963499d67b7bf2890b28144bf3bc089649c",
    "ERC-20 token",
    "erc20",
    "fee token",
  ),
  known(
    "class",
    "0x10f8e80296e24cb072fb8b717caa8bab6516b4f19dc084172c3cc89d621a0d6",
    "Universal deployer",
    "udc",
  ),
  known(
    "class",
    "0x3fe9e897839ee33b433d08cc2aee60391f92ea1de38c6655e4ba65e061d9b90",
    "Token bridge",
    "bridge of tokens",
  ),
];

/** Shortest text that finds a part of a name, in characters. */
const MIN_LENGTH = 3;

/** Returns the known contracts and classes whose name, or another name, contains a text; case and `_` do not matter. */
export function knownSubjectsOf(searched: string): readonly KnownSubject[] {
  const text = plain(searched);
  if (text.length < MIN_LENGTH) return [];
  return KNOWN_SUBJECTS.filter(({ name, aliases }) =>
    [name, ...aliases].some((one) => plain(one).includes(text)),
  );
}

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, " ");
}
