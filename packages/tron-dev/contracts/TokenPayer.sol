// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Pays with the tokens that it has, as exchanges and wallets made of code do.
contract TokenPayer {
    /// What the token answers is not looked at, because USDT on Tron answers false on success.
    function pay(address token, address to, uint256 value) external {
        (bool ok, ) = token.call(abi.encodeWithSignature("transfer(address,uint256)", to, value));
        require(ok, "not paid");
    }
}
