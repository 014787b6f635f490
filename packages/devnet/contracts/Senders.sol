// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

interface Token {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// Pays many in one transaction.
contract MultiSend {
    function sendNative(address payable[] calldata to, uint256[] calldata amounts) external payable {
        for (uint256 i = 0; i < to.length; i++) {
            (bool ok, ) = to[i].call{value: amounts[i]}("");
            require(ok, "payment failed");
        }
    }

    /// Takes the tokens from the caller, who has to approve them first.
    function sendToken(Token token, address[] calldata to, uint256[] calldata amounts) external {
        for (uint256 i = 0; i < to.length; i++) {
            require(token.transferFrom(msg.sender, to[i], amounts[i]), "transfer failed");
        }
    }
}

/// Passes what it gets on to an address, as a smart wallet would.
contract Forwarder {
    function forward(address payable to) external payable {
        (bool ok, ) = to.call{value: msg.value}("");
        require(ok, "payment failed");
    }

    /// Passes tokens of its own on, also those whose transfer returns nothing.
    function forwardToken(address token, address to, uint256 amount) external {
        (bool ok, ) = token.call(abi.encodeWithSignature("transfer(address,uint256)", to, amount));
        require(ok, "payment failed");
    }

    /// Pays, then fails as a whole: no frame of this transaction may count.
    function forwardAndRevert(address payable to) external payable {
        (bool ok, ) = to.call{value: msg.value}("");
        require(ok, "payment failed");
        revert("on purpose");
    }
}

/// The frames that show a value which does not move.
contract Pretender {
    function delegateTo(address target) external payable {
        (bool ok, ) = target.delegatecall("");
        require(ok, "delegatecall failed");
    }

    function callcodeTo(address target) external payable {
        bool ok;
        assembly {
            ok := callcode(gas(), target, callvalue(), 0, 0, 0, 0)
        }
        require(ok, "callcode failed");
    }

    function staticcallTo(address target) external payable {
        (bool ok, ) = target.staticcall("");
        require(ok, "staticcall failed");
    }
}

/// Holds value until it destroys itself in favour of somebody.
contract Bomb {
    constructor() payable {}

    receive() external payable {}

    function destroy(address payable to) external {
        selfdestruct(to);
    }
}

/// Pays its endowment on in its constructor.
contract ConstructorPayer {
    constructor(address payable to) payable {
        (bool ok, ) = to.call{value: msg.value}("");
        require(ok, "payment failed");
    }
}

/// Moves value by creation and destruction of contracts.
contract Creator {
    event Created(address created);

    /// Create, endow and destroy within one transaction.
    function createAndDestroy(address payable to) external payable {
        Bomb bomb = new Bomb{value: msg.value}();
        bomb.destroy(to);
    }

    /// The value stays in the new contract.
    function createWithEndowment() external payable {
        emit Created(address(new Bomb{value: msg.value}()));
    }

    /// As above, at an address that can be known (and handed out) before.
    function create2WithEndowment(bytes32 salt) external payable {
        emit Created(address(new Bomb{value: msg.value, salt: salt}()));
    }

    /// The value goes through the constructor to the target.
    function createConstructorPayer(address payable to) external payable {
        emit Created(address(new ConstructorPayer{value: msg.value}(to)));
    }
}

interface IMintable {
    function mint(address to, uint256 amount) external;
}

/// Mints many test tokens in the one transaction that deploys it.
contract MintAll {
    constructor(IMintable[] memory tokens, address to, uint256[] memory amounts) {
        for (uint256 i = 0; i < tokens.length; i++) tokens[i].mint(to, amounts[i]);
    }
}
