//! Account of one Stark key (SNIP-6).
//!
//! Storage: `Account_public_key` holds the x coordinate of the owner's public key; a genesis may
//! write it directly instead of running the constructor.
//!
//! `__validate__` and `__execute__` are the hot path of the chain: each asks for the execution
//! info once and checks the common case (version 3) first.

use starknet::account::Call;
use starknet::{ClassHash, ContractAddress};

/// SNIP-6, the account interface. Its id is [`ISRC6_ID`].
#[starknet::interface]
trait ISRC6<TState> {
    /// Runs `calls` in order and gives the result of each. Only the protocol may call it.
    fn __execute__(self: @TState, calls: Array<Call>) -> Array<Span<felt252>>;
    /// Accepts (`'VALID'`) or refuses (panics) an invoke transaction by its signature.
    fn __validate__(self: @TState, calls: Array<Call>) -> felt252;
    /// `'VALID'` if `signature` is `[r, s]` of the owner over `hash`, else 0.
    fn is_valid_signature(self: @TState, hash: felt252, signature: Array<felt252>) -> felt252;
}

/// The camelCase spelling of the signature check.
#[starknet::interface]
trait ISRC6CamelOnly<TState> {
    fn isValidSignature(self: @TState, hash: felt252, signature: Array<felt252>) -> felt252;
}

/// SNIP-5, introspection: whether the interface of that id is implemented.
#[starknet::interface]
trait ISRC5<TState> {
    fn supports_interface(self: @TState, interface_id: felt252) -> bool;
}

/// The camelCase spelling of introspection.
#[starknet::interface]
trait ISRC5CamelOnly<TState> {
    fn supportsInterface(self: @TState, interfaceId: felt252) -> bool;
}

/// Validation of the two other transactions of an account.
#[starknet::interface]
trait IProtocolEntryPoints<TState> {
    fn __validate_declare__(self: @TState, class_hash: felt252) -> felt252;
    fn __validate_deploy__(
        self: @TState, class_hash: felt252, contract_address_salt: felt252, public_key: felt252
    ) -> felt252;
}

/// The owner's key. Only the account itself may change it.
#[starknet::interface]
trait IPublicKey<TState> {
    fn get_public_key(self: @TState) -> felt252;
    fn set_public_key(ref self: TState, new_public_key: felt252);
}

/// The camelCase spelling of the owner's key.
#[starknet::interface]
trait IPublicKeyCamel<TState> {
    fn getPublicKey(self: @TState) -> felt252;
    fn setPublicKey(ref self: TState, newPublicKey: felt252);
}

/// Deployment without a universal deployer, for a chain that has none yet.
#[starknet::interface]
trait IDeploy<TState> {
    /// Deploys a contract from this account (or, with `from_zero`, independent of it) and gives
    /// its address. Only the account itself may call it.
    fn deploy_contract(
        ref self: TState,
        class_hash: ClassHash,
        contract_address_salt: felt252,
        from_zero: bool,
        calldata: Span<felt252>
    ) -> ContractAddress;
}

#[starknet::contract(account)]
mod Account {
    use core::ecdsa::check_ecdsa_signature;
    use core::gas::withdraw_gas;
    use starknet::account::Call;
    use starknet::syscalls::{call_contract_syscall, deploy_syscall};
    use starknet::{
        ClassHash, ContractAddress, SyscallResultTrait, VALIDATED, get_caller_address,
        get_contract_address, get_execution_info, get_tx_info
    };

    /// Id of SNIP-5 itself.
    const ISRC5_ID: felt252 = 0x3f918d17e5ee77373b56385708f855659a07f75997f365cf87748628532a055;
    /// Id of SNIP-6.
    const ISRC6_ID: felt252 = 0x2ceccef7f994940b3962a6c67e0ba4fcd37df7d131417c604f91e03caecc1cd;
    /// Offset of the versions that only estimate a fee or simulate: 2^128.
    const QUERY_OFFSET: u256 = 0x100000000000000000000000000000000;

    #[storage]
    struct Storage {
        Account_public_key: felt252,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        OwnerAdded: OwnerAdded,
        OwnerRemoved: OwnerRemoved,
    }

    /// A key became the owner's.
    #[derive(Drop, starknet::Event)]
    struct OwnerAdded {
        #[key]
        new_owner_guid: felt252,
    }

    /// A key stopped being the owner's.
    #[derive(Drop, starknet::Event)]
    struct OwnerRemoved {
        #[key]
        removed_owner_guid: felt252,
    }

    #[constructor]
    fn constructor(ref self: ContractState, public_key: felt252) {
        self.Account_public_key.write(public_key);
        self.emit(OwnerAdded { new_owner_guid: public_key });
    }

    #[abi(embed_v0)]
    impl SRC6Impl of super::ISRC6<ContractState> {
        fn __execute__(self: @ContractState, mut calls: Array<Call>) -> Array<Span<felt252>> {
            let info = get_execution_info().unbox();
            assert(info.caller_address.is_zero(), 'Account: invalid caller');
            assert_version(info.tx_info.unbox().version);
            let mut results = array![];
            loop {
                match calls.pop_front() {
                    Option::Some(call) => {
                        withdraw_gas().expect('Out of gas');
                        let Call { to, selector, calldata } = call;
                        results
                            .append(
                                call_contract_syscall(to, selector, calldata).unwrap_syscall()
                            );
                    },
                    Option::None => { break; },
                };
            };
            results
        }

        fn __validate__(self: @ContractState, calls: Array<Call>) -> felt252 {
            self.validate_transaction()
        }

        fn is_valid_signature(
            self: @ContractState, hash: felt252, signature: Array<felt252>
        ) -> felt252 {
            if self.is_signed(hash, signature.span()) {
                VALIDATED
            } else {
                0
            }
        }
    }

    #[abi(embed_v0)]
    impl SRC6CamelOnlyImpl of super::ISRC6CamelOnly<ContractState> {
        fn isValidSignature(
            self: @ContractState, hash: felt252, signature: Array<felt252>
        ) -> felt252 {
            SRC6Impl::is_valid_signature(self, hash, signature)
        }
    }

    #[abi(embed_v0)]
    impl SRC5Impl of super::ISRC5<ContractState> {
        fn supports_interface(self: @ContractState, interface_id: felt252) -> bool {
            interface_id == ISRC6_ID || interface_id == ISRC5_ID
        }
    }

    #[abi(embed_v0)]
    impl SRC5CamelOnlyImpl of super::ISRC5CamelOnly<ContractState> {
        fn supportsInterface(self: @ContractState, interfaceId: felt252) -> bool {
            SRC5Impl::supports_interface(self, interfaceId)
        }
    }

    #[abi(embed_v0)]
    impl ProtocolEntryPointsImpl of super::IProtocolEntryPoints<ContractState> {
        fn __validate_declare__(self: @ContractState, class_hash: felt252) -> felt252 {
            self.validate_transaction()
        }

        fn __validate_deploy__(
            self: @ContractState,
            class_hash: felt252,
            contract_address_salt: felt252,
            public_key: felt252
        ) -> felt252 {
            self.validate_transaction()
        }
    }

    #[abi(embed_v0)]
    impl PublicKeyImpl of super::IPublicKey<ContractState> {
        fn get_public_key(self: @ContractState) -> felt252 {
            self.Account_public_key.read()
        }

        fn set_public_key(ref self: ContractState, new_public_key: felt252) {
            assert_only_self();
            assert(new_public_key != 0, 'Account: zero public key');
            self.emit(OwnerRemoved { removed_owner_guid: self.Account_public_key.read() });
            self.Account_public_key.write(new_public_key);
            self.emit(OwnerAdded { new_owner_guid: new_public_key });
        }
    }

    #[abi(embed_v0)]
    impl PublicKeyCamelImpl of super::IPublicKeyCamel<ContractState> {
        fn getPublicKey(self: @ContractState) -> felt252 {
            self.Account_public_key.read()
        }

        fn setPublicKey(ref self: ContractState, newPublicKey: felt252) {
            PublicKeyImpl::set_public_key(ref self, newPublicKey);
        }
    }

    #[abi(embed_v0)]
    impl DeployImpl of super::IDeploy<ContractState> {
        fn deploy_contract(
            ref self: ContractState,
            class_hash: ClassHash,
            contract_address_salt: felt252,
            from_zero: bool,
            calldata: Span<felt252>
        ) -> ContractAddress {
            assert_only_self();
            let (address, _) = deploy_syscall(
                class_hash, contract_address_salt, calldata, from_zero
            )
                .unwrap_syscall();
            address
        }
    }

    #[generate_trait]
    impl InternalImpl of InternalTrait {
        /// The signature check of all transactions.
        fn validate_transaction(self: @ContractState) -> felt252 {
            let info = get_execution_info().unbox();
            assert(info.caller_address.is_zero(), 'Account: invalid caller');
            let tx = info.tx_info.unbox();
            assert(self.is_signed(tx.transaction_hash, tx.signature), 'Account: invalid signature');
            VALIDATED
        }

        /// Whether `signature` is `[r, s]` of the owner over `hash`.
        fn is_signed(self: @ContractState, hash: felt252, signature: Span<felt252>) -> bool {
            if signature.len() != 2 {
                return false;
            }
            check_ecdsa_signature(
                hash, self.Account_public_key.read(), *signature.at(0), *signature.at(1)
            )
        }
    }

    /// Versions 1 and up may run, and so may their query twins.
    fn assert_version(version: felt252) {
        if version == 3 {
            return;
        }
        withdraw_gas().expect('Out of gas');
        let version: u256 = version.into();
        if version >= QUERY_OFFSET {
            assert(version > QUERY_OFFSET, 'Account: invalid tx version');
        } else {
            assert(version != 0, 'Account: invalid tx version');
        }
    }

    fn assert_only_self() {
        assert(get_caller_address() == get_contract_address(), 'Account: unauthorized');
    }
}
