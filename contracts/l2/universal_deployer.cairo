//! Universal deployer: deploys any declared class for any caller.
//!
//! One class answers both public interfaces and is placed at both public addresses:
//! - 0x041a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bf: `deployContract`;
//! - 0x02ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125: `deploy_contract`.
//! It has no storage and no constructor, so a genesis only has to set its class.

use starknet::{ClassHash, ContractAddress};

/// The second interface. With `not_from_zero` the address depends on the caller and on this
/// deployer: the salt is then `pedersen(caller, salt)`; else it is the same on every chain.
#[starknet::interface]
trait IUniversalDeployer<TState> {
    fn deploy_contract(
        ref self: TState,
        class_hash: ClassHash,
        salt: felt252,
        not_from_zero: bool,
        calldata: Span<felt252>
    ) -> ContractAddress;
}

/// The first interface, which differs in names only.
#[starknet::interface]
trait IUniversalDeployerCamel<TState> {
    fn deployContract(
        ref self: TState, classHash: ClassHash, salt: felt252, unique: bool, calldata: Span<felt252>
    ) -> ContractAddress;
}

#[starknet::contract]
mod UniversalDeployer {
    use core::pedersen::pedersen;
    use starknet::syscalls::deploy_syscall;
    use starknet::{ClassHash, ContractAddress, SyscallResultTrait, get_caller_address};

    #[storage]
    struct Storage {}

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        ContractDeployed: ContractDeployed,
    }

    /// A contract was deployed; `salt` is the one that the caller gave.
    #[derive(Drop, starknet::Event)]
    struct ContractDeployed {
        address: ContractAddress,
        deployer: ContractAddress,
        not_from_zero: bool,
        class_hash: ClassHash,
        calldata: Span<felt252>,
        salt: felt252,
    }

    #[abi(embed_v0)]
    impl UniversalDeployerImpl of super::IUniversalDeployer<ContractState> {
        fn deploy_contract(
            ref self: ContractState,
            class_hash: ClassHash,
            salt: felt252,
            not_from_zero: bool,
            calldata: Span<felt252>
        ) -> ContractAddress {
            let deployer = get_caller_address();
            let used_salt = if not_from_zero {
                pedersen(deployer.into(), salt)
            } else {
                salt
            };
            let (address, _) = deploy_syscall(class_hash, used_salt, calldata, !not_from_zero)
                .unwrap_syscall();
            self
                .emit(
                    ContractDeployed {
                        address, deployer, not_from_zero, class_hash, calldata, salt
                    }
                );
            address
        }
    }

    #[abi(embed_v0)]
    impl UniversalDeployerCamelImpl of super::IUniversalDeployerCamel<ContractState> {
        fn deployContract(
            ref self: ContractState,
            classHash: ClassHash,
            salt: felt252,
            unique: bool,
            calldata: Span<felt252>
        ) -> ContractAddress {
            UniversalDeployerImpl::deploy_contract(ref self, classHash, salt, unique, calldata)
        }
    }
}
