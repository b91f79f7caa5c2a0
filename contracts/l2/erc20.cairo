//! ERC-20 token (SNIP-2) with one permitted minter, in both spellings.
//!
//! Storage, for a genesis that writes it directly instead of running the constructor:
//! - `ERC20_name`, `ERC20_symbol`: short strings (at most 31 characters);
//! - `ERC20_decimals`: u8;
//! - `ERC20_total_supply`: u256, low half at the variable, high half in the next slot;
//! - `ERC20_balances`: map from address to u256, in the slots that the protocol's fee logic reads;
//! - `ERC20_allowances`: map from (owner, spender) to u256;
//! - `ERC20_permitted_minter`: the only address that may mint and burn; 0 for none.
//!
//! A transfer is the hot path of the chain, and its cost is that of its storage accesses: the high
//! half of a balance is read and written only when the transfer reaches it. Rarely taken branches
//! begin with `withdraw_gas`, which keeps their cost out of the common path.

use starknet::ContractAddress;

/// The token interface of SNIP-2.
#[starknet::interface]
trait IERC20<TState> {
    fn name(self: @TState) -> felt252;
    fn symbol(self: @TState) -> felt252;
    fn decimals(self: @TState) -> u8;
    fn total_supply(self: @TState) -> u256;
    fn balance_of(self: @TState, account: ContractAddress) -> u256;
    fn allowance(self: @TState, owner: ContractAddress, spender: ContractAddress) -> u256;
    fn transfer(ref self: TState, recipient: ContractAddress, amount: u256) -> bool;
    /// Spends the caller's allowance, unless that is the largest u256 (endless).
    fn transfer_from(
        ref self: TState, sender: ContractAddress, recipient: ContractAddress, amount: u256
    ) -> bool;
    fn approve(ref self: TState, spender: ContractAddress, amount: u256) -> bool;
}

/// The camelCase spelling.
#[starknet::interface]
trait IERC20CamelOnly<TState> {
    fn totalSupply(self: @TState) -> u256;
    fn balanceOf(self: @TState, account: ContractAddress) -> u256;
    fn transferFrom(
        ref self: TState, sender: ContractAddress, recipient: ContractAddress, amount: u256
    ) -> bool;
}

/// What only the permitted minter may do. The names are those of StarkGate's tokens.
#[starknet::interface]
trait IMintable<TState> {
    fn permissioned_mint(ref self: TState, account: ContractAddress, amount: u256);
    fn permissioned_burn(ref self: TState, account: ContractAddress, amount: u256);
    /// The same as `permissioned_mint`.
    fn mint(ref self: TState, recipient: ContractAddress, amount: u256);
    /// The same as `permissioned_burn`.
    fn burn(ref self: TState, account: ContractAddress, amount: u256);
    fn permitted_minter(self: @TState) -> ContractAddress;
    /// Hands the right on; the zero address ends minting for good.
    fn set_permitted_minter(ref self: TState, minter: ContractAddress);
}

#[starknet::contract]
mod ERC20 {
    use core::gas::withdraw_gas;
    use core::num::traits::{Bounded, OverflowingAdd, OverflowingSub};
    use starknet::storage::{Map, StoragePathEntry, StorageAsPointer};
    use starknet::storage_access::{
        StorageAddress, StorageBaseAddress, storage_address_from_base,
        storage_address_from_base_and_offset
    };
    use starknet::syscalls::{storage_read_syscall, storage_write_syscall};
    use starknet::{ContractAddress, SyscallResultTrait, get_caller_address};

    #[storage]
    struct Storage {
        ERC20_name: felt252,
        ERC20_symbol: felt252,
        ERC20_decimals: u8,
        ERC20_total_supply: u256,
        ERC20_balances: Map<ContractAddress, u256>,
        ERC20_allowances: Map<(ContractAddress, ContractAddress), u256>,
        ERC20_permitted_minter: ContractAddress,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        Transfer: Transfer,
        Approval: Approval,
    }

    /// Tokens moved; the zero address stands for minting and burning.
    #[derive(Drop, starknet::Event)]
    struct Transfer {
        #[key]
        from: ContractAddress,
        #[key]
        to: ContractAddress,
        value: u256,
    }

    /// An allowance was set.
    #[derive(Drop, starknet::Event)]
    struct Approval {
        #[key]
        owner: ContractAddress,
        #[key]
        spender: ContractAddress,
        value: u256,
    }

    /// The arguments are those of StarkGate's tokens. `initial_supply` goes to `initial_recipient`.
    #[constructor]
    fn constructor(
        ref self: ContractState,
        name: felt252,
        symbol: felt252,
        decimals: u8,
        initial_supply: u256,
        initial_recipient: ContractAddress,
        permitted_minter: ContractAddress
    ) {
        self.ERC20_name.write(name);
        self.ERC20_symbol.write(symbol);
        self.ERC20_decimals.write(decimals);
        self.ERC20_permitted_minter.write(permitted_minter);
        if initial_supply != 0 {
            self.create(initial_recipient, initial_supply);
        }
    }

    #[abi(embed_v0)]
    impl ERC20Impl of super::IERC20<ContractState> {
        fn name(self: @ContractState) -> felt252 {
            self.ERC20_name.read()
        }

        fn symbol(self: @ContractState) -> felt252 {
            self.ERC20_symbol.read()
        }

        fn decimals(self: @ContractState) -> u8 {
            self.ERC20_decimals.read()
        }

        fn total_supply(self: @ContractState) -> u256 {
            self.ERC20_total_supply.read()
        }

        fn balance_of(self: @ContractState, account: ContractAddress) -> u256 {
            read_amount(self.balance_slot(account))
        }

        fn allowance(
            self: @ContractState, owner: ContractAddress, spender: ContractAddress
        ) -> u256 {
            read_amount(self.allowance_slot(owner, spender))
        }

        fn transfer(ref self: ContractState, recipient: ContractAddress, amount: u256) -> bool {
            self.move(get_caller_address(), recipient, amount);
            true
        }

        fn transfer_from(
            ref self: ContractState,
            sender: ContractAddress,
            recipient: ContractAddress,
            amount: u256
        ) -> bool {
            let entry = self.ERC20_allowances.entry((sender, get_caller_address())).as_ptr();
            let allowance = read_amount(entry.__storage_pointer_address__);
            if allowance != Bounded::<u256>::MAX {
                withdraw_gas().expect('Out of gas');
                assert(allowance >= amount, 'ERC20: insufficient allowance');
                entry.write(allowance - amount);
            }
            self.move(sender, recipient, amount);
            true
        }

        fn approve(ref self: ContractState, spender: ContractAddress, amount: u256) -> bool {
            let owner = get_caller_address();
            assert(owner.is_non_zero(), 'ERC20: approve from 0');
            assert(spender.is_non_zero(), 'ERC20: approve to 0');
            self.ERC20_allowances.entry((owner, spender)).write(amount);
            self.emit(Approval { owner, spender, value: amount });
            true
        }
    }

    #[abi(embed_v0)]
    impl ERC20CamelOnlyImpl of super::IERC20CamelOnly<ContractState> {
        fn totalSupply(self: @ContractState) -> u256 {
            self.ERC20_total_supply.read()
        }

        fn balanceOf(self: @ContractState, account: ContractAddress) -> u256 {
            read_amount(self.balance_slot(account))
        }

        fn transferFrom(
            ref self: ContractState,
            sender: ContractAddress,
            recipient: ContractAddress,
            amount: u256
        ) -> bool {
            ERC20Impl::transfer_from(ref self, sender, recipient, amount)
        }
    }

    #[abi(embed_v0)]
    impl MintableImpl of super::IMintable<ContractState> {
        fn permissioned_mint(ref self: ContractState, account: ContractAddress, amount: u256) {
            self.assert_minter();
            self.create(account, amount);
        }

        fn permissioned_burn(ref self: ContractState, account: ContractAddress, amount: u256) {
            self.assert_minter();
            assert(account.is_non_zero(), 'ERC20: burn from 0');
            self.debit(account, amount);
            self.ERC20_total_supply.write(self.ERC20_total_supply.read() - amount);
            self.emit(Transfer { from: account, to: Zeroable::zero(), value: amount });
        }

        fn mint(ref self: ContractState, recipient: ContractAddress, amount: u256) {
            Self::permissioned_mint(ref self, recipient, amount);
        }

        fn burn(ref self: ContractState, account: ContractAddress, amount: u256) {
            Self::permissioned_burn(ref self, account, amount);
        }

        fn permitted_minter(self: @ContractState) -> ContractAddress {
            self.ERC20_permitted_minter.read()
        }

        fn set_permitted_minter(ref self: ContractState, minter: ContractAddress) {
            self.assert_minter();
            self.ERC20_permitted_minter.write(minter);
        }
    }

    #[generate_trait]
    impl InternalImpl of InternalTrait {
        fn assert_minter(self: @ContractState) {
            let minter = self.ERC20_permitted_minter.read();
            assert(
                minter.is_non_zero() && get_caller_address() == minter, 'ERC20: minter only'
            );
        }

        fn move(
            ref self: ContractState, from: ContractAddress, to: ContractAddress, amount: u256
        ) {
            assert(from.is_non_zero(), 'ERC20: transfer from 0');
            assert(to.is_non_zero(), 'ERC20: transfer to 0');
            self.debit(from, amount);
            self.credit(to, amount);
            self.emit(Transfer { from, to, value: amount });
        }

        fn create(ref self: ContractState, to: ContractAddress, amount: u256) {
            assert(to.is_non_zero(), 'ERC20: mint to 0');
            self.ERC20_total_supply.write(self.ERC20_total_supply.read() + amount);
            self.credit(to, amount);
            self.emit(Transfer { from: Zeroable::zero(), to, value: amount });
        }

        /// Takes from a balance. The high half is not even read while the low one is enough.
        fn debit(ref self: ContractState, account: ContractAddress, amount: u256) {
            let slot = self.balance_slot(account);
            let low = read_half(storage_address_from_base(slot));
            let (rest, borrows) = low.overflowing_sub(amount.low);
            write_half(storage_address_from_base(slot), rest);
            if borrows || amount.high != 0 {
                withdraw_gas().expect('Out of gas');
                let address = storage_address_from_base_and_offset(slot, 1);
                let balance = u256 { low, high: read_half(address) };
                assert(balance >= amount, 'ERC20: insufficient balance');
                write_half(address, (balance - amount).high);
            }
        }

        /// Adds to a balance. The high half is not even read while the low one is enough.
        fn credit(ref self: ContractState, account: ContractAddress, amount: u256) {
            let slot = self.balance_slot(account);
            let low = read_half(storage_address_from_base(slot));
            let (sum, carries) = low.overflowing_add(amount.low);
            write_half(storage_address_from_base(slot), sum);
            if carries || amount.high != 0 {
                withdraw_gas().expect('Out of gas');
                let address = storage_address_from_base_and_offset(slot, 1);
                let balance = u256 { low, high: read_half(address) };
                write_half(address, (balance + amount).high);
            }
        }

        fn balance_slot(self: @ContractState, account: ContractAddress) -> StorageBaseAddress {
            self.ERC20_balances.entry(account).as_ptr().__storage_pointer_address__
        }

        fn allowance_slot(
            self: @ContractState, owner: ContractAddress, spender: ContractAddress
        ) -> StorageBaseAddress {
            self.ERC20_allowances.entry((owner, spender)).as_ptr().__storage_pointer_address__
        }
    }

    /// The u256 at `slot`.
    fn read_amount(slot: StorageBaseAddress) -> u256 {
        let low = read_half(storage_address_from_base(slot));
        u256 { low, high: read_half(storage_address_from_base_and_offset(slot, 1)) }
    }

    fn read_half(address: StorageAddress) -> u128 {
        storage_read_syscall(0, address).unwrap_syscall().try_into().unwrap()
    }

    fn write_half(address: StorageAddress, half: u128) {
        storage_write_syscall(0, address, half.into()).unwrap_syscall();
    }
}
