"""Runs starknet.py against a chain: it reads, sends a transfer, waits, traces and finds the event.

At a fork it also declares, deploys, sends several calls in one transaction, estimates, simulates, and sends a
transfer of an account of the origin without its key.

Environment: CLIENT_URL (of specification 0.10), CLIENT_ADDRESS, CLIENT_PRIVATE_KEY, CLIENT_TOKEN; at a fork
CLIENT_WHALE, an account of the origin with tokens, and CLIENT_CONTRACTS, the folder `contracts/l2`.
Prints a line for each step; exits with an exception at the first that fails.
"""

import asyncio
import json
import os
from pathlib import Path
from urllib.request import Request, urlopen

from starknet_py.hash.selector import get_selector_from_name
from starknet_py.net.account.account import Account
from starknet_py.net.client_models import Call
from starknet_py.net.full_node_client import FullNodeClient
from starknet_py.net.udc_deployer.deployer import Deployer
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
    if "CLIENT_WHALE" in os.environ:
        await use_fork(account, balance)


def request(url, method, params):
    """Calls a JSON-RPC method that starknet.py does not know."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    with urlopen(Request(url, body, {"content-type": "application/json"})) as response:
        answer = json.load(response)
    check(f"called {method}", "error" not in answer)


async def use_fork(account, balance):
    """Uses contracts and accounts of the origin, and contracts of the fork."""
    client, token = account.client, int(os.environ["CLIENT_TOKEN"], 16)

    async def succeeded(what, transaction_hash):
        receipt = await client.wait_for_tx(transaction_hash, check_interval=0.2)
        check(what, receipt.execution_status.value == "SUCCEEDED")

    def transfer(recipient, amount):
        return Call(token, get_selector_from_name("transfer"), [recipient, amount, 0])

    # A class that the origin lacks: the deployer without its ABI.
    contracts = Path(os.environ["CLIENT_CONTRACTS"])
    sierra = json.loads((contracts / "universal_deployer.sierra.json").read_text())
    sierra.update(abi=[], sierra_program_debug_info={})
    artifact = json.loads((contracts / "artifacts.json").read_text())["universal_deployer"]
    declaration = await account.sign_declare_v3(
        json.dumps(sierra),
        compiled_class_hash=int(artifact["compiledClassHashV2"], 16),
        auto_estimate=True,
    )
    declared = await client.declare(declaration)
    await succeeded("declared a class", declared.transaction_hash)

    deployment = Deployer(account_address=account.address).create_contract_deployment_raw(declared.class_hash)
    several = [deployment.call, transfer(RECIPIENT, 1), transfer(RECIPIENT + 1, 2)]
    sent = await account.execute_v3(calls=several, auto_estimate=True)
    await succeeded("deployed a contract and sent two transfers in one transaction", sent.transaction_hash)
    found = await client.get_class_hash_at(contract_address=deployment.address)
    check("the contract has the class", found == declared.class_hash)
    check("both recipients have the amounts", await balance(RECIPIENT + 1) == 2)

    signed = await account.sign_invoke_v3(calls=transfer(RECIPIENT, 1), auto_estimate=True)
    fee = await account.estimate_fee(signed)
    check("estimated a transfer", fee.overall_fee > 0)
    (simulated,) = await client.simulate_transactions(transactions=[signed], block_number="latest")
    check("simulated it", simulated.transaction_trace.execute_invocation.contract_address == account.address)

    whale = int(os.environ["CLIENT_WHALE"], 16)
    request(client.url, "devnet_impersonateAccount", {"account_address": hex(whale)})
    keys = KeyPair.from_private_key(1)
    other = Account(address=whale, client=client, key_pair=keys, chain=await client.get_chain_id())
    sent = await other.execute_v3(calls=transfer(RECIPIENT + 2, AMOUNT), auto_estimate=True)
    await succeeded("sent a transfer of an account of the origin", sent.transaction_hash)
    check("its recipient has it", await balance(RECIPIENT + 2) == AMOUNT)
    request(client.url, "devnet_stopImpersonateAccount", {"account_address": hex(whale)})


asyncio.run(main())
