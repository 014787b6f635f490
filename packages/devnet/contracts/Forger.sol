// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Is no token at all, but logs what looks like transfers of one.
contract Forger {
    event Transfer(address indexed from, address indexed to, uint256 value);

    bytes32 private constant TOPIC = keccak256("Transfer(address,address,uint256)");

    /// The perfect forgery: only the emitting address is wrong.
    function forgeTransfer(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }

    /// Four topics and no data, as ERC-721 has it.
    function forgeIndexedValue(address from, address to, uint256 value) external {
        bytes32 topic = TOPIC;
        assembly {
            log4(0, 0, topic, from, to, value)
        }
    }

    /// One topic and all three arguments as data.
    function forgeUnindexed(address from, address to, uint256 value) external {
        bytes memory data = abi.encode(from, to, value);
        bytes32 topic = TOPIC;
        assembly {
            log1(add(data, 32), mload(data), topic)
        }
    }

    /// Three topics, but the value followed or cut so that the data has any other length.
    function forgeOddData(address from, address to, uint256 value, uint256 length) external {
        require(length <= 1024, "too long");
        bytes memory data = new bytes(1024);
        bytes32 topic = TOPIC;
        assembly {
            mstore(add(data, 32), value)
            log3(add(data, 32), length, topic, from, to)
        }
    }

    /// Topics that hold more than an address.
    function forgeDirtyTopics(uint256 from, uint256 to, uint256 value) external {
        bytes memory data = abi.encode(value);
        bytes32 topic = TOPIC;
        assembly {
            log3(add(data, 32), 32, topic, from, to)
        }
    }
}

/// Emits all variants of a forgery on behalf of a real token's address: for allow-listed emitters that misbehave.
contract OddTransferToken is Forger {
    string public name = "Odd";
    string public symbol = "ODD";
    uint8 public constant decimals = 6;
    uint256 public constant totalSupply = 0;
    mapping(address => uint256) public balanceOf;
}
