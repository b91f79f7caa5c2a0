// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// An ERC-20 token for development: anybody may mint it.
contract TestToken is ERC20 {
    uint8 private immutable decimals_;

    constructor(
        string memory name_,
        string memory symbol_,
        uint8 decimalsOfToken
    ) ERC20(name_, symbol_) {
        decimals_ = decimalsOfToken;
    }

    function decimals() public view override returns (uint8) {
        return decimals_;
    }

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }
}
