// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Pays TRX in every way that leaves internal transactions behind, good ones and rejected ones.
contract Payer {
    receive() external payable {}

    function pay(address payable to, uint256 value) external payable {
        (bool ok, ) = to.call{value: value}("");
        require(ok, "not paid");
    }

    /// The inner call pays and then reverts; the outer one goes on and succeeds. Without value: no contract on Tron pays itself.
    function payAndLose(address payable to, uint256 value) external payable {
        try this.payThenRevert(to, value) {} catch {}
    }

    function payThenRevert(address payable to, uint256 value) external payable {
        (bool ok, ) = to.call{value: value}("");
        require(ok, "not paid");
        revert("taken back");
    }

    function burnEnergy() external {
        for (uint256 i = 0; ; i++) {
            assembly {
                sstore(i, 1)
            }
        }
    }

    function create() external payable returns (address) {
        return address(new Child());
    }

    function create2(bytes32 salt) external returns (address) {
        return address(new Child{salt: salt}());
    }

    function chainId() external view returns (uint256) {
        return block.chainid;
    }

    function destroy(address payable heir) external {
        selfdestruct(heir);
    }
}

contract Child {
    receive() external payable {}
}
