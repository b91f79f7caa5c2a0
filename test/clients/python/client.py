"""Runs starknet.py against a chain: it reads, sends a transfer, waits, traces and finds the event.

Environment: CLIENT_URL (of specification 0.10), CLIENT_ADDRESS, CLIENT_PRIVATE_KEY, CLIENT_TOKEN.
Prints a line for each step; exits with an exception at the first that fails.
"""

import asyncio
import os

from starknet_py.hash.selector import get_selector_from_name
from starknet_py.net.account.account import Account
from starknet_py.net.client_models import Call
from starknet_py.net.full_node_client import FullNodeClient
from starknet_py.net.signer.key_pair import KeyPair

RECIPIENT = 0x1234567890
AMOUNT = 10**18


def check(what, holds):
    """Prints a check's result; raises an exception if it fails."""
    if not holds:
        raise AssertionError(what)
    print(f"starknet.py: {what}", flush=True)


async def main():
    url, token = os.environ["CLIENT_URL"], int(os.environ["CLIENT_TOKEN"], 16)
    address = int(os.environ["CLIENT_ADDRESS"], 16)
    client = FullNodeClient(node_url=url)
    version = await client.spec_version()
    check(f"speaks {version}", version.startswith("0.10."))
    keys = KeyPair.from_private_key(int(os.environ["CLIENT_PRIVATE_KEY"], 16))
    chain_id = await client.get_chain_id()
    account = Account(address=address, client=client, key_pair=keys, chain=chain_id)
    nonce = await account.get_nonce()

    async def balance(of):
        call = Call(token, get_selector_from_name("balance_of"), [of])
        low, high = await client.call_contract(call)
        return low + (high << 128)

    before = await balance(RECIPIENT)
    transfer = Call(token, get_selector_from_name("transfer"), [RECIPIENT, AMOUNT, 0])
    sent = await account.execute_v3(calls=transfer, auto_estimate=True)
    receipt = await client.wait_for_tx(sent.transaction_hash, check_interval=0.2)
    check(f"sent a transfer, in block {receipt.block_number}", receipt.execution_status.value == "SUCCEEDED")
    check("the recipient has it", await balance(RECIPIENT) == before + AMOUNT)
    check("the nonce is the next", await account.get_nonce() == nonce + 1)

    trace = await client.trace_transaction(sent.transaction_hash)
    check("traced it", trace.execute_invocation.contract_address == address)
    traces = await client.trace_block_transactions(block_number=receipt.block_number)
    check("traced its block", sent.transaction_hash in [one.transaction_hash for one in traces])

    found = await client.get_events(
        address=token,
        keys=[[hex(get_selector_from_name("Transfer"))], [hex(address)], [hex(RECIPIENT)]],
        from_block_number=receipt.block_number,
        to_block_number=receipt.block_number,
        follow_continuation_token=True,
        chunk_size=10,
    )
    check("found its event", [event.transaction_hash for event in found.events] == [sent.transaction_hash])

    block = await client.get_block_with_receipts(block_number=receipt.block_number)
    check("read the block with receipts", block.block_hash == receipt.block_hash)
    check("read the block's txs", len((await client.get_block(block_number="pre_confirmed")).transactions) >= 0)
    update = await client.get_state_update(block_number=receipt.block_number)
    check("read the state update", update.block_hash == receipt.block_hash)
    status = await client.get_transaction_status(sent.transaction_hash)
    check("read the status", status.finality_status.value == "ACCEPTED_ON_L2")
    await client.get_class_at(contract_address=address)
    check("read a class", await client.get_class_hash_at(contract_address=address) > 0)


asyncio.run(main())
