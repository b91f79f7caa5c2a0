/** What a type or a libfunc is made with. Types, libfuncs and functions are named by their position. */
export type GenericArgument =
  /** A type of the user's code; `id` only tells such types apart. */
  | { readonly kind: "user_type"; readonly id: string }
  | { readonly kind: "type"; readonly type: number }
  | { readonly kind: "value"; readonly value: bigint }
  | { readonly kind: "function"; readonly function: number }
  | { readonly kind: "libfunc"; readonly libfunc: number };

/** What may be done with values of a type. */
export interface TypeInfo {
  readonly storable: boolean;
  readonly droppable: boolean;
  readonly duplicatable: boolean;
  readonly zeroSized: boolean;
}

/** A concrete type: a generic one with its arguments. */
export interface TypeDeclaration {
  readonly genericId: string;
  readonly args: readonly GenericArgument[];
  /** As the program states it; a type that is referred to before it is declared needs it. */
  readonly declared: TypeInfo | undefined;
}

/** A concrete libfunc: a generic one with its arguments. */
export interface LibfuncDeclaration {
  readonly genericId: string;
  readonly args: readonly GenericArgument[];
}

/** A branch of an invocation: where it leads, and the variables that it gets. */
export interface Branch {
  /** A statement; `undefined` for the next one. */
  readonly target: number | undefined;
  readonly results: readonly number[];
}

/** A statement that calls a libfunc. Variables are numbers. */
export interface Invocation {
  readonly kind: "invocation";
  readonly libfunc: number;
  readonly args: readonly number[];
  readonly branches: readonly Branch[];
}

/** A statement that ends a function. */
export interface Return {
  readonly kind: "return";
  readonly args: readonly number[];
}

/** A statement of a Sierra program. */
export type Statement = Invocation | Return;

/** A function: its signature, and where it begins. */
export interface FunctionDeclaration {
  /** For messages: its position, or its name where the program has one. */
  readonly name: string;
  readonly params: readonly { readonly variable: number; readonly type: number }[];
  readonly returns: readonly number[];
  /** Index of its first statement. */
  readonly entry: number;
}

/** A Sierra program. Ids are positions in these lists. */
export interface Program {
  readonly types: readonly TypeDeclaration[];
  readonly libfuncs: readonly LibfuncDeclaration[];
  readonly statements: readonly Statement[];
  readonly functions: readonly FunctionDeclaration[];
}
