// Reads a JSON transaction and encodes its raw_data again. raw_data_hex is ignored, as java-tron does.
import { encode } from '../../protocol/codec.ts';
import { contractSchemas, isContractName } from '../../protocol/contracts.ts';
import { type TransactionRaw, transactionRaw } from '../../protocol/messages.ts';
import { make } from '../../protocol/schema.ts';
import { type Transaction, transactionOf } from '../../protocol/transaction.ts';
import { asObject, parseMessage } from './parse-message.ts';
import type { Params } from '../read-request.ts';

/** Throws where the JSON is no transaction. Contracts whose payload does not parse are left out. */
export function parseTransaction(json: unknown, isVisible: boolean): Transaction {
  const body = asObject(json);
  const rawJson = asObject(body['raw_data']);
  const { contract: _, ...rest } = transactionRaw;
  const raw: TransactionRaw = make(transactionRaw, {
    ...parseMessage(rest, rawJson, isVisible),
    contract: listOf(rawJson['contract']).map((item) => parseContract(asObject(item), isVisible)),
  });
  const signatures = listOf(body['signature']).map((item) => String(item).replace(/^0x/, '').toLowerCase());
  return transactionOf(encode(transactionRaw, raw), signatures);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function parseContract(json: Params, isVisible: boolean): TransactionRaw['contract'][number] {
  const name = String(json['type']);
  if (!isContractName(name)) throw new Error(`not supported type of contract: ${name}`);
  const parameter = asObject(json['parameter']);
  const value = parseMessage(contractSchemas[name], parameter['value'], isVisible);
  const permission = json['Permission_id'];
  return {
    type: name,
    parameter: {
      type_url: String(parameter['type_url']),
      // Schema and value come from the same row of the registry.
      value: encode(contractSchemas[name], value as never),
    },
    provider: '',
    ContractName: '',
    Permission_id: typeof permission === 'bigint' ? permission : 0n,
  };
}
