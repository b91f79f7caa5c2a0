//! Fails at the end of library calls and calls of any nesting, and replaces its class.
#[starknet::contract]
mod frames {
    use starknet::syscalls::{call_contract_syscall, library_call_syscall, replace_class_syscall};
    use starknet::{ClassHash, ContractAddress, SyscallResultTrait};

    #[storage]
    struct Storage {}

    /// Panics with one felt.
    #[external(v0)]
    fn fail(self: @ContractState) {
        panic_with_felt252('asked to fail');
    }

    /// Runs a function of another class in this contract and forwards its panic.
    #[external(v0)]
    fn library(
        self: @ContractState, class_hash: ClassHash, selector: felt252, calldata: Span<felt252>
    ) -> Span<felt252> {
        library_call_syscall(class_hash, selector, calldata).unwrap_syscall()
    }

    /// Calls another contract and forwards its panic.
    #[external(v0)]
    fn call(
        self: @ContractState, address: ContractAddress, selector: felt252, calldata: Span<felt252>
    ) -> Span<felt252> {
        call_contract_syscall(address, selector, calldata).unwrap_syscall()
    }

    /// Replaces the class, from the next call on.
    #[external(v0)]
    fn replace(ref self: ContractState, class_hash: ClassHash) {
        replace_class_syscall(class_hash).unwrap_syscall();
    }
}
