//! Pool of two tokens that trades at the constant product of its balances, with a fee of 0.3 %, which it keeps.
//!
//! Tokens sent to it stay in it as liquidity: it has no shares. For tests and examples only.

use starknet::ContractAddress;

#[starknet::interface]
trait IToken<TState> {
    fn balance_of(self: @TState, account: ContractAddress) -> u256;
    fn transfer(ref self: TState, recipient: ContractAddress, amount: u256) -> bool;
    fn transfer_from(
        ref self: TState, sender: ContractAddress, recipient: ContractAddress, amount: u256
    ) -> bool;
}

#[starknet::interface]
trait IPool<TState> {
    /// Amount of the other token that a swap returns now.
    fn quote(self: @TState, token_in: ContractAddress, amount_in: u256) -> u256;
    /// Takes `amount_in`, for which the caller has approved the pool, and returns the other token.
    fn swap(
        ref self: TState, token_in: ContractAddress, amount_in: u256, least_out: u256
    ) -> u256;
}

#[starknet::contract]
mod Pool {
    use starknet::{ContractAddress, get_caller_address, get_contract_address};
    use super::{ITokenDispatcher, ITokenDispatcherTrait};

    #[storage]
    struct Storage {
        first: ContractAddress,
        second: ContractAddress,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        Swap: Swap,
    }

    #[derive(Drop, starknet::Event)]
    struct Swap {
        #[key]
        caller: ContractAddress,
        token_in: ContractAddress,
        amount_in: u256,
        amount_out: u256,
    }

    #[constructor]
    fn constructor(ref self: ContractState, first: ContractAddress, second: ContractAddress) {
        self.first.write(first);
        self.second.write(second);
    }

    #[abi(embed_v0)]
    impl PoolImpl of super::IPool<ContractState> {
        fn quote(self: @ContractState, token_in: ContractAddress, amount_in: u256) -> u256 {
            let here = get_contract_address();
            let reserve_in = ITokenDispatcher { contract_address: token_in }.balance_of(here);
            let other = ITokenDispatcher { contract_address: self.other(token_in) };
            let charged = amount_in * 997;
            charged * other.balance_of(here) / (reserve_in * 1000 + charged)
        }

        fn swap(
            ref self: ContractState, token_in: ContractAddress, amount_in: u256, least_out: u256
        ) -> u256 {
            let amount_out = self.quote(token_in, amount_in);
            assert(amount_out >= least_out, 'Pool: too little');
            let caller = get_caller_address();
            let token = ITokenDispatcher { contract_address: token_in };
            token.transfer_from(caller, get_contract_address(), amount_in);
            let other = ITokenDispatcher { contract_address: self.other(token_in) };
            other.transfer(caller, amount_out);
            self.emit(Swap { caller, token_in, amount_in, amount_out });
            amount_out
        }
    }

    #[generate_trait]
    impl InternalImpl of InternalTrait {
        fn other(self: @ContractState, token: ContractAddress) -> ContractAddress {
            let first = self.first.read();
            let second = self.second.read();
            if token == first {
                return second;
            }
            assert(token == second, 'Pool: another token');
            first
        }
    }
}
