/** Generic argument of a type or a libfunc. Types, libfuncs and functions are identified by their index. */
export type GenericArgument =
  /** User-defined type; `id` only distinguishes such types. */
  | { readonly kind: "user_type"; readonly id: string }
  | { readonly kind: "type"; readonly type: number }
  | { readonly kind: "value"; readonly value: bigint }
  | { readonly kind: "function"; readonly function: number }
  | { readonly kind: "libfunc"; readonly libfunc: number };

/** Permitted operations on values of a type. */
export interface TypeInfo {
  readonly storable: boolean;
  readonly droppable: boolean;
  readonly duplicatable: boolean;
  readonly zeroSized: boolean;
}

/** Concrete type: a generic type with its arguments. */
export interface TypeDeclaration {
  readonly genericId: string;
  readonly args: readonly GenericArgument[];
  /** Info declared by the program; required for a type that is used before its declaration. */
  readonly declared: TypeInfo | undefined;
}

/** Concrete libfunc: a generic libfunc with its arguments. */
export interface LibfuncDeclaration {
  readonly genericId: string;
  readonly args: readonly GenericArgument[];
}

/** Branch of an invocation: its target, and the variables that it defines. */
export interface Branch {
  /** Target statement; `undefined` for the next one. */
  readonly target: number | undefined;
  readonly results: readonly number[];
}

/** Statement that calls a libfunc. Variables are numbers. */
export interface Invocation {
  readonly kind: "invocation";
  readonly libfunc: number;
  readonly args: readonly number[];
  readonly branches: readonly Branch[];
}

/** Statement that ends a function. */
export interface Return {
  readonly kind: "return";
  readonly args: readonly number[];
}

/** A statement of a Sierra program. */
export type Statement = Invocation | Return;

/** Function: its signature and entry statement. */
export interface FunctionDeclaration {
  /** For messages: its index, or its name if the program has one. */
  readonly name: string;
  readonly params: readonly { readonly variable: number; readonly type: number }[];
  readonly returns: readonly number[];
  /** Index of its first statement. */
  readonly entry: number;
}

/** Sierra program. Ids are indices in these lists. */
export interface Program {
  readonly types: readonly TypeDeclaration[];
  readonly libfuncs: readonly LibfuncDeclaration[];
  readonly statements: readonly Statement[];
  readonly functions: readonly FunctionDeclaration[];
}
