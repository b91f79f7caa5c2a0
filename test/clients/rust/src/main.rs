//! Runs starknet-rs against a chain: it reads, sends a transfer, waits, traces and finds the event.
//!
//! Environment: CLIENT_URL (of specification 0.9), CLIENT_ADDRESS, CLIENT_PRIVATE_KEY, CLIENT_TOKEN.
//! Prints a line for each step; exits with an error at the first that fails.

use starknet::accounts::{Account, ConnectedAccount, ExecutionEncoding, SingleOwnerAccount};
use starknet::core::types::{
    BlockId, BlockTag, Call, ConfirmedBlockId, EventFilter, Felt, FunctionCall, TransactionTrace,
};
use starknet::core::utils::get_selector_from_name;
use starknet::providers::jsonrpc::{HttpTransport, JsonRpcClient};
use starknet::providers::{Provider, Url};
use starknet::signers::{LocalWallet, SigningKey};
use std::{env, error::Error, time::Duration};

const RECIPIENT: Felt = Felt::from_hex_unchecked("0x1234567891");
const AMOUNT: u128 = 1_000_000_000_000_000_000;
const LATEST: BlockId = BlockId::Tag(BlockTag::Latest);

/// Prints a check's result; returns an error if it fails.
fn check(what: &str, holds: bool) -> Result<(), Box<dyn Error>> {
    if !holds {
        return Err(what.into());
    }
    println!("starknet-rs: {what}");
    Ok(())
}

fn felt(name: &str) -> Result<Felt, Box<dyn Error>> {
    Ok(Felt::from_hex(&env::var(name)?)?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = Url::parse(&env::var("CLIENT_URL")?)?;
    let provider = JsonRpcClient::new(HttpTransport::new(url));
    let (token, address) = (felt("CLIENT_TOKEN")?, felt("CLIENT_ADDRESS")?);
    let version = provider.spec_version().await?;
    check(&format!("speaks {version}"), version.starts_with("0.9."))?;
    let signer = LocalWallet::from(SigningKey::from_secret_scalar(felt("CLIENT_PRIVATE_KEY")?));
    let chain_id = provider.chain_id().await?;
    let mut account =
        SingleOwnerAccount::new(&provider, signer, address, chain_id, ExecutionEncoding::New);
    account.set_block_id(BlockId::Tag(BlockTag::PreConfirmed));
    let nonce = account.get_nonce().await?;

    let balance = FunctionCall {
        contract_address: token,
        entry_point_selector: get_selector_from_name("balance_of")?,
        calldata: vec![RECIPIENT],
    };
    let before = provider.call(&balance, LATEST).await?;
    let transfer = Call {
        to: token,
        selector: get_selector_from_name("transfer")?,
        calldata: vec![RECIPIENT, AMOUNT.into(), Felt::ZERO],
    };
    let sent = account.execute_v3(vec![transfer]).send().await?.transaction_hash;
    let mut tries = 0;
    let (number, hash) = loop {
        if let Ok(receipt) = provider.get_transaction_receipt(sent).await {
            if let (Some(hash), number) = (receipt.block.block_hash(), receipt.block.block_number())
            {
                let succeeded = receipt.receipt.execution_result().revert_reason().is_none();
                check(&format!("sent a transfer, in block {number}"), succeeded)?;
                break (number, hash);
            }
        }
        tries += 1;
        if tries > 300 {
            return Err("the transfer is in no block".into());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let after = provider.call(&balance, LATEST).await?;
    check("the recipient has it", after[0] == before[0] + Felt::from(AMOUNT))?;
    check("the nonce is the next", account.get_nonce().await? == nonce + Felt::ONE)?;

    let trace = provider.trace_transaction(sent).await?;
    check("traced it", matches!(trace, TransactionTrace::Invoke(_)))?;
    let traces = provider.trace_block_transactions(ConfirmedBlockId::Number(number)).await?;
    check("traced its block", traces.iter().any(|one| one.transaction_hash == sent))?;

    let block = BlockId::Number(number);
    let filter = EventFilter {
        from_block: Some(block),
        to_block: Some(block),
        address: Some(token),
        keys: Some(vec![
            vec![get_selector_from_name("Transfer")?],
            vec![address],
            vec![RECIPIENT],
        ]),
    };
    let page = provider.get_events(filter, None, 10).await?;
    let found: Vec<Felt> = page.events.iter().map(|event| event.transaction_hash).collect();
    check("found its event", found == [sent] && page.continuation_token.is_none())?;

    let read = provider.get_block_with_receipts(block).await?;
    check("read the block with receipts", read.transactions().len() == traces.len())?;
    provider.get_block_with_txs(BlockId::Tag(BlockTag::PreConfirmed)).await?;
    provider.get_block_with_tx_hashes(BlockId::Hash(hash)).await?;
    provider.get_state_update(block).await?;
    check("read the block in its other forms", true)?;
    provider.get_transaction_status(sent).await?;
    provider.get_transaction_by_hash(sent).await?;
    check("read the transaction", provider.get_transaction_by_block_id_and_index(block, 0).await.is_ok())?;
    provider.get_class_at(LATEST, address).await?;
    check("read a class", provider.get_class_hash_at(LATEST, address).await? != Felt::ZERO)
}
