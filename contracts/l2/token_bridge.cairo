//! L2 half of a bridge for tokens of L1: mints what was deposited there, burns what is withdrawn.
//!
//! One class serves both bridges of a chain. The one for ETH has a single token, which its governor
//! sets (`set_l2_token`); the one for all others deploys a token whenever L1 enrols one. Names,
//! messages and events are those of StarkGate where it has them.
//!
//! Messages from L1 count only if they are sent by the bridge there, which is set once. Whatever
//! fails here is consumed for L1 all the same, so the bridge there sends nothing that would. A
//! deposit of a token that could not be deployed is kept for its depositor, and anybody may have it
//! returned to L1; the handler cannot send it itself, since the protocol bounds what it may cost.

use starknet::{ClassHash, ContractAddress, EthAddress};

/// What a token of this bridge offers it.
#[starknet::interface]
trait IMintable<TState> {
    fn permissioned_mint(ref self: TState, account: ContractAddress, amount: u256);
    fn permissioned_burn(ref self: TState, account: ContractAddress, amount: u256);
}

/// What everybody may do.
#[starknet::interface]
trait ITokenBridge<TState> {
    /// The token of L1 that an L2 token stands for; 0: none of this bridge.
    fn get_l1_token(self: @TState, l2_token: ContractAddress) -> EthAddress;
    /// The L2 token that stands for one of L1; 0: there is none.
    fn get_l2_token(self: @TState, l1_token: EthAddress) -> ContractAddress;
    /// What cannot be minted of a depositor's deposits, because there is no token for it.
    fn get_unhandled_deposits(
        self: @TState, l1_token: EthAddress, depositor: EthAddress
    ) -> u256;
    /// Tells L1 to pay those out to the depositor.
    fn return_deposits(ref self: TState, l1_token: EthAddress, depositor: EthAddress);
    /// Burns tokens of the caller and tells L1 to pay them out to `l1_recipient`.
    fn initiate_token_withdraw(
        ref self: TState, l1_token: EthAddress, l1_recipient: EthAddress, amount: u256
    );
}

/// What only the governor may do, and what can be seen of it.
#[starknet::interface]
trait ITokenBridgeAdmin<TState> {
    /// The bridge on L1; 0 until it is set.
    fn get_l1_bridge(self: @TState) -> EthAddress;
    /// The class of the tokens that are deployed; 0: none is deployed.
    fn get_erc20_class_hash(self: @TState) -> ClassHash;
    /// Sets the bridge on L1, once and for all.
    fn set_l1_bridge(ref self: TState, l1_bridge_address: EthAddress);
    fn set_erc20_class_hash(ref self: TState, erc20_class_hash: ClassHash);
    /// Lets a token that is there, and that this bridge may mint, stand for one of L1 for good.
    fn set_l2_token(ref self: TState, l1_token: EthAddress, l2_token: ContractAddress);
}

/// The office of the governor, handed over in two steps.
#[starknet::interface]
trait IGovernance<TState> {
    fn governor(self: @TState) -> ContractAddress;
    /// Who may accept the office; 0: nobody.
    fn nominated_governor(self: @TState) -> ContractAddress;
    /// By the governor; 0 takes a nomination back.
    fn nominate_governor(ref self: TState, nominee: ContractAddress);
    /// By who is nominated: the governor is another one from here on.
    fn accept_governance(ref self: TState);
}

#[starknet::contract]
mod TokenBridge {
    use starknet::storage::Map;
    use starknet::syscalls::{deploy_syscall, send_message_to_l1_syscall};
    use starknet::{
        ClassHash, ContractAddress, EthAddress, SyscallResultTrait, get_caller_address,
        get_contract_address
    };
    use super::{IMintableDispatcher, IMintableDispatcherTrait};

    /// First felt of the message of a withdrawal.
    const TRANSFER_FROM_STARKNET: felt252 = 0;

    #[storage]
    struct Storage {
        governor: ContractAddress,
        nominated_governor: ContractAddress,
        l1_bridge: EthAddress,
        erc20_class_hash: ClassHash,
        l1_l2_token_map: Map<EthAddress, ContractAddress>,
        l2_l1_token_map: Map<ContractAddress, EthAddress>,
        unhandled_deposits: Map<(EthAddress, EthAddress), u256>,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        L1BridgeSet: L1BridgeSet,
        Erc20ClassHashStored: Erc20ClassHashStored,
        L2TokenSet: L2TokenSet,
        DeployHandled: DeployHandled,
        DepositHandled: DepositHandled,
        DepositUnhandled: DepositUnhandled,
        DepositsReturned: DepositsReturned,
        WithdrawInitiated: WithdrawInitiated,
        GovernorNominated: GovernorNominated,
        GovernanceAccepted: GovernanceAccepted,
    }

    #[derive(Drop, starknet::Event)]
    struct L1BridgeSet {
        l1_bridge_address: EthAddress,
    }

    #[derive(Drop, starknet::Event)]
    struct Erc20ClassHashStored {
        previous_hash: ClassHash,
        erc20_class_hash: ClassHash,
    }

    /// The governor set a token that was there.
    #[derive(Drop, starknet::Event)]
    struct L2TokenSet {
        #[key]
        l1_token: EthAddress,
        #[key]
        l2_token: ContractAddress,
    }

    /// A token was deployed because L1 enrolled it.
    #[derive(Drop, starknet::Event)]
    struct DeployHandled {
        l1_token: EthAddress,
        name: felt252,
        symbol: felt252,
        decimals: u8,
    }

    /// A deposit on L1 was minted.
    #[derive(Drop, starknet::Event)]
    struct DepositHandled {
        #[key]
        l1_token: EthAddress,
        #[key]
        l2_recipient: ContractAddress,
        amount: u256,
    }

    /// There is no token to mint for a deposit.
    #[derive(Drop, starknet::Event)]
    struct DepositUnhandled {
        #[key]
        l1_token: EthAddress,
        #[key]
        depositor: EthAddress,
        amount: u256,
    }

    /// L1 was told to pay out what could not be minted.
    #[derive(Drop, starknet::Event)]
    struct DepositsReturned {
        #[key]
        l1_token: EthAddress,
        #[key]
        depositor: EthAddress,
        amount: u256,
    }

    /// Tokens were burned, and L1 was told to pay them out.
    #[derive(Drop, starknet::Event)]
    struct WithdrawInitiated {
        #[key]
        l1_token: EthAddress,
        #[key]
        l1_recipient: EthAddress,
        amount: u256,
        #[key]
        caller_address: ContractAddress,
    }

    /// The zero address: a nomination was taken back.
    #[derive(Drop, starknet::Event)]
    struct GovernorNominated {
        nominee: ContractAddress,
    }

    #[derive(Drop, starknet::Event)]
    struct GovernanceAccepted {
        previous_governor: ContractAddress,
        new_governor: ContractAddress,
    }

    #[constructor]
    fn constructor(ref self: ContractState, governor: ContractAddress) {
        assert(governor.is_non_zero(), 'ZERO_GOVERNOR');
        self.governor.write(governor);
    }

    #[abi(embed_v0)]
    impl TokenBridgeImpl of super::ITokenBridge<ContractState> {
        fn get_l1_token(self: @ContractState, l2_token: ContractAddress) -> EthAddress {
            self.l2_l1_token_map.read(l2_token)
        }

        fn get_l2_token(self: @ContractState, l1_token: EthAddress) -> ContractAddress {
            self.l1_l2_token_map.read(l1_token)
        }

        fn get_unhandled_deposits(
            self: @ContractState, l1_token: EthAddress, depositor: EthAddress
        ) -> u256 {
            self.unhandled_deposits.read((l1_token, depositor))
        }

        fn return_deposits(
            ref self: ContractState, l1_token: EthAddress, depositor: EthAddress
        ) {
            let amount = self.unhandled_deposits.read((l1_token, depositor));
            assert(amount != 0, 'NO_UNHANDLED_DEPOSITS');
            self.unhandled_deposits.write((l1_token, depositor), 0);
            send_transfer(self.l1_bridge.read(), depositor, l1_token, amount);
            self.emit(DepositsReturned { l1_token, depositor, amount });
        }

        fn initiate_token_withdraw(
            ref self: ContractState, l1_token: EthAddress, l1_recipient: EthAddress, amount: u256
        ) {
            assert(l1_recipient.is_non_zero(), 'INVALID_RECIPIENT');
            assert(amount != 0, 'ZERO_WITHDRAWAL');
            let l1_bridge = self.l1_bridge.read();
            assert(l1_bridge.is_non_zero(), 'UNINITIALIZED_L1_BRIDGE_ADDRESS');
            let caller_address = get_caller_address();
            let contract_address = self.l1_l2_token_map.read(l1_token);
            assert(contract_address.is_non_zero(), 'TOKEN_NOT_IN_BRIDGE');
            IMintableDispatcher { contract_address }.permissioned_burn(caller_address, amount);
            send_transfer(l1_bridge, l1_recipient, l1_token, amount);
            self.emit(WithdrawInitiated { l1_token, l1_recipient, amount, caller_address });
        }
    }

    #[abi(embed_v0)]
    impl TokenBridgeAdminImpl of super::ITokenBridgeAdmin<ContractState> {
        fn get_l1_bridge(self: @ContractState) -> EthAddress {
            self.l1_bridge.read()
        }

        fn get_erc20_class_hash(self: @ContractState) -> ClassHash {
            self.erc20_class_hash.read()
        }

        fn set_l1_bridge(ref self: ContractState, l1_bridge_address: EthAddress) {
            self.assert_governor();
            assert(self.l1_bridge.read().is_zero(), 'L1_BRIDGE_ALREADY_INITIALIZED');
            assert(l1_bridge_address.is_non_zero(), 'ZERO_L1_BRIDGE_ADDRESS');
            self.l1_bridge.write(l1_bridge_address);
            self.emit(L1BridgeSet { l1_bridge_address });
        }

        fn set_erc20_class_hash(ref self: ContractState, erc20_class_hash: ClassHash) {
            self.assert_governor();
            let previous_hash = self.erc20_class_hash.read();
            self.erc20_class_hash.write(erc20_class_hash);
            self.emit(Erc20ClassHashStored { previous_hash, erc20_class_hash });
        }

        fn set_l2_token(
            ref self: ContractState, l1_token: EthAddress, l2_token: ContractAddress
        ) {
            self.assert_governor();
            assert(l1_token.is_non_zero(), 'ZERO_L1_TOKEN');
            assert(l2_token.is_non_zero(), 'ZERO_L2_TOKEN');
            self.pair(l1_token, l2_token);
            self.emit(L2TokenSet { l1_token, l2_token });
        }
    }

    #[abi(embed_v0)]
    impl GovernanceImpl of super::IGovernance<ContractState> {
        fn governor(self: @ContractState) -> ContractAddress {
            self.governor.read()
        }

        fn nominated_governor(self: @ContractState) -> ContractAddress {
            self.nominated_governor.read()
        }

        fn nominate_governor(ref self: ContractState, nominee: ContractAddress) {
            self.assert_governor();
            self.nominated_governor.write(nominee);
            self.emit(GovernorNominated { nominee });
        }

        fn accept_governance(ref self: ContractState) {
            let new_governor = get_caller_address();
            assert(
                new_governor.is_non_zero() && new_governor == self.nominated_governor.read(),
                'ONLY_NOMINATED_GOVERNOR'
            );
            let previous_governor = self.governor.read();
            self.governor.write(new_governor);
            self.nominated_governor.write(Zeroable::zero());
            self.emit(GovernanceAccepted { previous_governor, new_governor });
        }
    }

    /// Deploys the token that stands for one of L1, with its address as the salt.
    #[l1_handler]
    fn handle_token_deployment(
        ref self: ContractState,
        from_address: felt252,
        l1_token: EthAddress,
        name: felt252,
        symbol: felt252,
        decimals: u8
    ) {
        self.assert_from_l1_bridge(from_address);
        assert(self.l1_l2_token_map.read(l1_token).is_zero(), 'TOKEN_ALREADY_EXISTS');
        let class_hash = self.erc20_class_hash.read();
        assert(class_hash.is_non_zero(), 'L2_TOKEN_CLASS_HASH_NOT_SET');
        let minter: felt252 = get_contract_address().into();
        // Name, symbol, decimals, initial supply of 0 for the bridge, which is the minter.
        let calldata = array![name, symbol, decimals.into(), 0, 0, minter, minter];
        let (l2_token, _) = deploy_syscall(class_hash, l1_token.into(), calldata.span(), false)
            .unwrap_syscall();
        self.pair(l1_token, l2_token);
        self.emit(DeployHandled { l1_token, name, symbol, decimals });
    }

    /// Mints what `depositor` locked on L1, or keeps it for them where there is nothing to mint.
    #[l1_handler]
    fn handle_token_deposit(
        ref self: ContractState,
        from_address: felt252,
        l1_token: EthAddress,
        depositor: EthAddress,
        l2_recipient: ContractAddress,
        amount: u256
    ) {
        self.assert_from_l1_bridge(from_address);
        let contract_address = self.l1_l2_token_map.read(l1_token);
        if contract_address.is_zero() {
            let before = self.unhandled_deposits.read((l1_token, depositor));
            self.unhandled_deposits.write((l1_token, depositor), before + amount);
            self.emit(DepositUnhandled { l1_token, depositor, amount });
            return;
        }
        IMintableDispatcher { contract_address }.permissioned_mint(l2_recipient, amount);
        self.emit(DepositHandled { l1_token, l2_recipient, amount });
    }

    #[generate_trait]
    impl InternalImpl of InternalTrait {
        fn assert_governor(self: @ContractState) {
            assert(get_caller_address() == self.governor.read(), 'ONLY_GOVERNOR');
        }

        fn assert_from_l1_bridge(self: @ContractState, from_address: felt252) {
            let l1_bridge = self.l1_bridge.read();
            assert(l1_bridge.is_non_zero(), 'UNINITIALIZED_L1_BRIDGE_ADDRESS');
            assert(from_address == l1_bridge.into(), 'EXPECTED_FROM_BRIDGE_ONLY');
        }

        /// Lets two tokens that stand for nothing yet stand for each other.
        fn pair(ref self: ContractState, l1_token: EthAddress, l2_token: ContractAddress) {
            assert(self.l1_l2_token_map.read(l1_token).is_zero(), 'TOKEN_ALREADY_EXISTS');
            assert(self.l2_l1_token_map.read(l2_token).is_zero(), 'TOKEN_ALREADY_EXISTS');
            self.l1_l2_token_map.write(l1_token, l2_token);
            self.l2_l1_token_map.write(l2_token, l1_token);
        }
    }

    /// Tells the bridge on L1 to pay out.
    fn send_transfer(
        l1_bridge: EthAddress, l1_recipient: EthAddress, l1_token: EthAddress, amount: u256
    ) {
        let payload = array![
            TRANSFER_FROM_STARKNET,
            l1_recipient.into(),
            l1_token.into(),
            amount.low.into(),
            amount.high.into()
        ];
        send_message_to_l1_syscall(l1_bridge.into(), payload.span()).unwrap_syscall();
    }
}
